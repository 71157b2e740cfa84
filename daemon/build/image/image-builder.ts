import { randomBytes } from 'node:crypto'
import { lstat, readdir, realpath, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { maskSecrets } from '../../domain/mask-secrets.ts'
import type { Engine } from '../../engine/engine.ts'
import { readImageRelease, writeImageRelease } from '../../engine/image-release.ts'
import type { Ownership } from '../../engine/ownership.ts'
import { DaemonError } from '../../errors.ts'
import type { Builder, BuildPlan } from '../../ports.ts'
import { removeTree } from '../../trees.ts'
import { boundedSink, printLine } from '../command.ts'
import { appFolder, type PlanDefaults, planOf } from '../plan.ts'
import { dockerfileOf } from '../recognize/images/dockerfile-of.ts'
import type { ImageSettings } from '../recognize/images/image-settings.ts'
import { reportPlan } from '../report-plan.ts'
import { contextOf, relinkData } from './build-context.ts'
import { inspectImage } from './inspect-image.ts'
import { pruneImages, removeImage } from './prune-images.ts'
import { runImageBuild } from './run-image-build.ts'

export interface ImageBuilderOptions {
  readonly engine: Engine
  readonly ownership: Ownership
  /** Folder of all releases, for the images that belong to none. */
  readonly releasesFolder: string
  readonly images: ImageSettings
  readonly limits?: Partial<ImageBuildLimits>
}

export interface ImageBuildLimits extends Omit<PlanDefaults, 'runtime'> {
  /** Time limit of one build. */
  readonly timeoutMs: number
  /** Size limit of a build's output in bytes. Further output is dropped. */
  readonly outputBytes: number
  /** Size limit in bytes of the engine's build cache. */
  readonly cacheBytes: number
}

const defaultLimits: ImageBuildLimits = {
  timeoutMs: 15 * 60_000,
  outputBytes: 16 * 2 ** 20,
  cacheBytes: 10 * 2 ** 30,
  memoryMb: 256,
  pids: 512,
  keepReleases: 3,
  healthTimeoutMs: 30_000,
}

/** Creates the builder of images. A release folder keeps nothing but the description of its image. */
export function createImageBuilder(options: ImageBuilderOptions): Builder {
  const { engine, ownership, releasesFolder, images } = options
  const limits = { ...defaultLimits, ...options.limits }

  /** Returns the folder of the build context and the Dockerfile in it. A written Dockerfile stays in the context only. */
  async function prepare(checkout: string, plan: BuildPlan) {
    const { app, launch } = plan
    if (app.kind === 'dockerfile') {
      const folder = await appFolder(checkout, launch.root)
      const dockerfile = app.dockerfile ?? 'Dockerfile'
      await requireDockerfile(folder, dockerfile)
      return { folder, dockerfile, written: undefined }
    }
    const dockerfile = `.strata-${randomBytes(4).toString('hex')}.Dockerfile`
    const written = join(checkout, dockerfile)
    await writeFile(written, dockerfileOf(plan, images), { flag: 'wx' })
    return { folder: checkout, dockerfile, written }
  }

  return {
    plan: (checkout) => planOf(checkout, { ...limits, runtime: 'docker' }),

    async build(checkout, plan, { projectId, env, output, signal }) {
      signal.throwIfAborted()
      const top = await realpath(checkout)
      const { launch, app } = plan
      const sink = boundedSink(output, limits.outputBytes)
      await relinkData(top, launch.root)
      const release = `${projectId}/${basename(checkout)}`
      const commit = (env.STRATA_COMMIT ?? '').slice(0, 12) || 'none'
      const tag = `strata-${ownership.instance}/p${projectId}:${commit}-${basename(checkout).slice(0, 8)}`
      const fields = { role: 'image', projectId, environmentId: 0, spec: release } as const
      const { folder, dockerfile, written } = await prepare(top, plan)
      const secrets = Object.entries(env)
        .filter(([name, value]) => launch.env[name] !== value && !/^(PORT|STRATA_.*)$/.test(name))
        .map(([, value]) => value)
      reportPlan(plan, sink, secrets)
      if (written === undefined) printLine(sink, `$ docker build --file ${dockerfile} .`)
      await runImageBuild(engine, {
        context: () => contextOf(folder, dockerfile),
        ...{ dockerfile, tag, output: sink, signal, kind: app.kind },
        labels: ownership.labels(tag, fields),
        args: argsOf(launch.env, env),
        timeoutMs: limits.timeoutMs,
        mask: (text) => maskSecrets(text, secrets),
      })
      const image = await inspectImage(engine, tag)
      const own = app.kind === 'dockerfile' && launch.start.length > 0 ? [...launch.start] : null
      await empty(top)
      await writeImageRelease(top, { ...image, tag, command: own })
    },

    async discard(folder) {
      const release = await readImageRelease(folder)
      if (release) await removeImage(engine, ownership, release.tag)
    },

    async prune() {
      await pruneImages(engine, ownership, releasesFolder)
      await engine.call({
        method: 'POST',
        path: '/build/prune',
        query: { 'keep-storage': limits.cacheBytes, all: false },
        timeoutMs: 120_000,
      })
    },

    async removeProject() {
      await pruneImages(engine, ownership, releasesFolder)
    },
  }
}

/** Values that a Dockerfile may take with ARG. No secret is among them: an image shows its build arguments. */
function argsOf(
  plain: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const own = ['STRATA_BRANCH', 'STRATA_COMMIT', 'STRATA_URL']
  const given = own.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { ...plain, ...Object.fromEntries(given) }
}

async function requireDockerfile(folder: string, dockerfile: string): Promise<void> {
  const real = await realpath(join(folder, dockerfile)).catch(() => undefined)
  const isInside = real?.startsWith(`${folder}/`)
  if (real !== undefined && isInside && (await lstat(real)).isFile()) return
  throw new DaemonError(
    'unprocessable',
    `strata.json: deploy.dockerfile is not a file of the app's folder: ${dockerfile}`,
  )
}

/** Removes the files of a checkout: its image has them. */
async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await removeTree(join(folder, name))
}
