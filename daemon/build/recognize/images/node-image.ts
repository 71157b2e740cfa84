import type { RecognizedNode } from '../../../domain/recognized-app.ts'
import type { BuildPlan } from '../../../ports.ts'
import { baseImage, type ImageSettings } from './image-settings.ts'
import { appFolder, appUser, ending, plainVariables, run, workFolder } from './instructions.ts'
import { siteStage } from './static-image.ts'

/**
 * Writes the Dockerfile of a Node app: one stage installs and builds, and the last has only what runs. The packages are
 * installed before the sources are copied, so that an unchanged lock file costs nothing.
 */
export function nodeImage(plan: BuildPlan, app: RecognizedNode, images: ImageSettings): string[] {
  const base = baseImage(images.node, app.version)
  const work = workFolder(plan)
  const top = topFolder(plan, app)
  const { install, build } = plan
  const steps = [
    `FROM ${base} AS build`,
    'USER 0',
    ...managerSetup(app),
    'ENV CI=true',
    `ENV PATH=${work}/node_modules/.bin:$PATH`,
    `WORKDIR ${top}`,
    ...(install === null ? [`COPY . ${appFolder}`] : installSteps(plan, app, install)),
    ...plainVariables(plan),
    ...(build === null ? [] : [`WORKDIR ${work}`, run(build, ['/root/.cache'])]),
    ...(install === null ? [] : pruneSteps(app, top)),
  ]
  if (app.site) return [...steps, '', ...siteStage(plan, app.site, images, 'build')]
  // A start command of pnpm or Yarn needs the program in the image, too.
  const isManaged = plan.launch.start[0] === app.packageManager.name
  return [
    ...steps,
    '',
    `FROM ${base}`,
    'USER 0',
    ...(isManaged ? managerSetup(app) : []),
    `ENV PATH=${work}/node_modules/.bin:$PATH`,
    `WORKDIR ${work}`,
    `COPY --from=build --chown=${appUser} ${appFolder} ${appFolder}`,
    ...plainVariables(plan),
    ...ending(plan, { NODE_ENV: 'production' }),
  ]
}

/** Returns the folder of the install: the root of the workspace, else the folder of the app. */
function topFolder(plan: BuildPlan, { workspace }: RecognizedNode): string {
  if (workspace === null) return workFolder(plan)
  return workspace === '' ? appFolder : `${appFolder}/${workspace}`
}

/** Installs pnpm or Yarn, or the version of npm that the app asks for. */
function managerSetup({ packageManager: { name, version, isModern } }: RecognizedNode): string[] {
  if (version === null) return []
  const spec = name === 'yarn' && isModern ? '@yarnpkg/cli-dist' : name
  return [run(['npm', 'install', '--global', `${spec}@${version}`])]
}

function installSteps(plan: BuildPlan, app: RecognizedNode, install: readonly string[]): string[] {
  const { name, isModern } = app.packageManager
  const flags = {
    npm: ['--include=dev'],
    pnpm: [`--store-dir=${stores.pnpm}`],
    yarn: [],
  }[name]
  const cache = name === 'yarn' && isModern ? stores.modernYarn : stores[name]
  const step = run([...install, ...flags], [cache])
  const copyAll = `COPY . ${appFolder}`
  if (app.workspace !== null || app.needsSources) return [copyAll, step]
  const from = plan.launch.root === '' ? '' : `${plan.launch.root}/`
  const files = app.installFiles.map((file) => `${from}${file}`)
  return [`COPY ${files.join(' ')} ./`, step, copyAll]
}

/** Download caches of the package managers, for cache mounts. */
const stores = {
  npm: '/root/.npm',
  pnpm: '/root/.local/share/pnpm/store',
  yarn: '/usr/local/share/.cache/yarn',
  modernYarn: '/root/.yarn/berry/cache',
}

/** Removes development packages. Workspaces and Yarn keep theirs: their tools remove packages of other members. */
function pruneSteps(app: RecognizedNode, top: string): string[] {
  const { name } = app.packageManager
  if (app.workspace !== null || name === 'yarn') return []
  const prune = name === 'npm' ? ['npm', 'prune', '--omit=dev'] : ['pnpm', 'prune', '--prod']
  return [`WORKDIR ${top}`, run(prune)]
}
