import { relative } from 'node:path/posix'
import { installScripts, nodeApp } from '../node-app.ts'
import type { AppFiles } from './app-files.ts'
import type { AppKind, Candidate, Unstartable } from './candidate.ts'
import { plain } from './candidate.ts'
import { type Framework, frameworks, needsAdapter } from './node-frameworks.ts'
import { askedNode, isNodeInRange, nodeMajor } from './node-versions.ts'
import { packageManagerOf } from './package-manager.ts'
import { splitStartLine } from './start-line.ts'

/** Node apps: a start script, `server.js`, or the conventions of a framework. */
export const nodeKind: AppKind = {
  kind: 'node',
  signs: 'package.json or server.js',
  recognize(files, { section, runtime, hostNode }) {
    const hasServerFile = files.names.has('server.js')
    if (!files.manifest && !hasServerFile) return undefined
    const { packageManager, lockFile, reason } = packageManagerOf(files.workspace ?? files)
    const isNpm = packageManager.name === 'npm'
    const npm = nodeApp({
      manifest: files.manifest,
      lock: isNpm ? (files.workspace ?? files).lock : undefined,
      hasServerFile,
      isWorkspace: files.workspace !== null,
    })
    const framework = npm.start === undefined ? frameworkOf(files) : undefined
    const site = section.static ?? framework?.site ?? null
    const asked = askedNode(files) ?? (files.workspace ? askedNode(files.workspace) : undefined)
    const app: Candidate['app'] = {
      kind: 'node',
      packageManager,
      lockFile,
      workspace: files.workspace?.folder ?? null,
      hasDevDependencies: files.manifest?.hasDevDependencies ?? false,
      needsSources: needsSources(files),
      installFiles: [...installFiles, ...(lockFile === null ? [] : [lockFile])].filter((name) =>
        files.names.has(name),
      ),
      version: nodeMajor(asked?.range),
      site,
      programs: npm.install === null || isNpm ? [] : [packageManager.name],
      reasons: [
        kindReason(files, framework),
        ...(files.workspace ? [workspaceReason(files)] : []),
        ...(reason === null ? [] : [reason]),
        ...(asked ? [versionReason(asked, runtime === 'process' ? hostNode : null)] : []),
        ...otherLockFiles(files),
      ],
    }
    const steps = {
      app,
      install: npm.install === null || isNpm ? npm.install : installOf(packageManager, lockFile),
      build:
        withManager(npm.build, packageManager.name) ??
        (framework ? inWorkspace(files, packageManager.name, framework.build) : null),
    }
    if (site) return { ...steps, start: null }
    const start = npm.start
      ? startOf(files, npm.start, packageManager.name)
      : framework?.start && {
          ...framework.start,
          argv: inWorkspace(files, packageManager.name, framework.start.argv),
        }
    return start ? { ...steps, start } : unstartable(files, steps)
  },
}

/** Files besides the lock file that decide what an install does. */
const installFiles = ['package.json', '.npmrc', '.yarnrc.yml', '.pnpmfile.cjs']

/** Returns whether an install reads other files: of install scripts, of local packages, or of Yarn itself. */
function needsSources({ manifest, names }: AppFiles): boolean {
  if (manifest === undefined) return false
  const { scripts, all } = manifest
  const isLocal = /"(?:file|link|portal|patch|workspace):/.test(
    JSON.stringify([all.dependencies, all.devDependencies, all.resolutions, all.overrides]),
  )
  const hasScript = installScripts.some((name) => scripts[name] !== undefined)
  return (
    isLocal ||
    hasScript ||
    all.workspaces !== undefined ||
    sourceFolders.some((name) => names.has(name))
  )
}

const sourceFolders = ['.yarn', 'patches', 'pnpm-workspace.yaml', 'binding.gyp', 'prisma']

function frameworkOf({ manifest }: AppFiles): Framework | undefined {
  const names = dependenciesOf(manifest?.all)
  const has = (name: string) => names.has(name)
  const found = frameworks.find(({ packages }) => packages.some(has))
  return found?.name === 'Vite' && Object.keys(needsAdapter).some(has) ? undefined : found
}

function dependenciesOf(all: Readonly<Record<string, unknown>> | undefined): Set<string> {
  return new Set(
    [all?.dependencies, all?.devDependencies].flatMap((each) => Object.keys(each ?? {})),
  )
}

function kindReason({ manifest }: AppFiles, framework: Framework | undefined): string {
  const what = framework === undefined ? 'a Node app' : `a Node app with ${framework.name}`
  return `${what}, because there is ${manifest ? 'package.json' : 'server.js'}`
}

/** Names the asked version, and the version of the host if the app runs there and gets another one. */
function versionReason(
  { range, source }: { range: string; source: string },
  hostNode: string | null,
): string {
  if (hostNode === null || isNodeInRange(hostNode, range)) {
    return `Node ${range}, because of ${source}`
  }
  return `${source} asks for Node ${range}, and this host runs ${hostNode}: SERVICE_RUNTIME=docker runs the version that it asks for`
}

function workspaceReason({ workspace }: AppFiles): string {
  const place = workspace?.folder ? workspace.folder : 'the repository'
  return `a workspace: the packages are installed in the root of ${place}`
}

function otherLockFiles({ names, workspace }: AppFiles): string[] {
  const all = workspace?.names ?? names
  const name = ['bun.lock', 'bun.lockb', 'deno.lock'].find((each) => all.has(each))
  return name === undefined ? [] : [`${name} has no effect: strata installs with npm, pnpm or yarn`]
}

function installOf(
  { name, isModern }: { name: string; isModern: boolean },
  lockFile: string | null,
): readonly string[] {
  const frozen = lockFile === null ? [] : [isModern ? '--immutable' : '--frozen-lockfile']
  return [name, 'install', ...frozen]
}

/** Replaces npm by the app's package manager: `npm run build` and `npm start` have the same form in all of them. */
function withManager(argv: readonly string[] | null, manager: string): readonly string[] | null {
  const [program, ...rest] = argv ?? []
  return program === 'npm' ? [manager, ...rest] : argv
}

/** Runs the program of a direct dependency without the package manager, which saves time at each wake. */
function startOf({ manifest, workspace }: AppFiles, npmStart: readonly string[], manager: string) {
  if (npmStart[0] !== 'npm' || manager === 'npm') return plain(...npmStart)
  const scripts = manifest?.scripts ?? {}
  const line = splitStartLine(scripts.start ?? '')
  const isSimple = scripts.prestart === undefined && scripts.poststart === undefined
  const [program = ''] = line.kind === 'words' && !line.hasVariables ? line.argv : []
  const dependencies = Object.keys((manifest?.all.dependencies as object | undefined) ?? {})
  // pnpm links the programs of direct dependencies into each member of a workspace. Yarn keeps them in its root.
  const isLinked = manager === 'pnpm' || workspace === null
  if (
    isSimple &&
    isLinked &&
    line.kind === 'words' &&
    Object.keys(line.env).length === 0 &&
    dependencies.includes(program)
  ) {
    return plain(`node_modules/.bin/${program}`, ...line.argv.slice(1))
  }
  return plain(manager, ...npmStart.slice(1))
}

/** npm and Yarn keep the programs of packages in the root of a workspace, pnpm in each member. */
function inWorkspace(
  { root, workspace }: AppFiles,
  manager: string,
  argv: readonly string[],
): readonly string[] {
  if (workspace === null || manager === 'pnpm') return argv
  const up = relative(root, workspace.folder)
  return argv.map((word) => (word.startsWith('node_modules/.bin/') ? `${up}/${word}` : word))
}

function unstartable(files: AppFiles, steps: Omit<Candidate, 'start'>): Unstartable {
  const place = files.root === '' ? '' : `${files.root}/`
  const adapter = [...dependenciesOf(files.manifest?.all)].find((name) => needsAdapter[name])
  return {
    ...steps,
    missing: `the app has no start command: ${
      adapter === undefined ? '' : `${needsAdapter[adapter]}; else `
    }add a start script to ${place}package.json, or deploy.start to strata.json`,
    example: 'node index.js',
  }
}

/** A start command that runs Node, in a folder without package.json. */
export const bareNode: Candidate = {
  app: {
    kind: 'node',
    packageManager: { name: 'npm', version: null, isModern: false },
    lockFile: null,
    workspace: null,
    hasDevDependencies: false,
    needsSources: false,
    installFiles: [],
    version: nodeMajor(undefined),
    site: null,
    programs: [],
    reasons: ['a Node app, because its start command runs Node'],
  },
  install: null,
  build: null,
  start: null,
}
