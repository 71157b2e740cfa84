import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { Git, GitSource } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { type Batches, createBatches } from './batches.ts'
import { checkoutCommit, DamagedMirror } from './checkout.ts'
import { type FetchRequest, fetchMirror, type MirrorState } from './fetch-mirror.ts'
import { createGitProgram, type GitProgram, markOf } from './git-program.ts'
import { isMirror, removeMirror, sweepFolder } from './mirror.ts'
import { originOf } from './origin.ts'
import { placeOf } from './source-place.ts'

export interface GitOptions {
  /** Absolute; mirrors live in it, and nothing else does. One daemon at a time. */
  readonly folder: string
  /** For one run of git: a first fetch of a large repository takes minutes. */
  readonly timeoutMs: number
  /** The longest time a remote may say nothing; 60 s when not given. */
  readonly silenceMs?: number
  /** The daemon's own: PATH, HOME for ssh, proxies and certificates are taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface NodeGit extends Git {
  /** `host/path` of the `origin` remote of a repository on this machine, null when it has none. */
  originOf(repoDir: string): Promise<string | null>
}

interface Mirror extends MirrorState {
  readonly batches: Batches<FetchRequest>
  /** Branches since the last fetch. */
  heads: Promise<ReadonlyMap<string, string>> | undefined
  fetches: number
  tidying: { readonly abort: AbortController; readonly done: Promise<unknown> } | undefined
}

/** Repositories as bare mirrors, one for each whole URL, by the `git` program. */
export function createGit(options: GitOptions): NodeGit {
  const { folder, timeoutMs, silenceMs = 60_000 } = options
  const git = createGitProgram({ folder, env: options.env, timeoutMs })
  const mirrors = new Map<string, Mirror>()
  const scratchFolder = join(folder, 'scratch')
  let ready: Promise<unknown> | undefined

  /** Once in the life of this process: what a dead daemon left running, then what it left lying. */
  const start = () => {
    ready ??= killMarked(markOf(folder)).then(() => sweepFolder(folder, scratchFolder))
    return ready
  }

  const mirrorOf = (source: GitSource): Mirror => {
    const { id } = placeOf(source)
    const known = mirrors.get(id)
    if (known) return known
    const mirror: Mirror = {
      path: join(folder, `${id}.git`),
      needsSweep: true,
      isDamaged: false,
      needsSuffix: false,
      heads: undefined,
      fetches: 0,
      tidying: undefined,
      batches: createBatches(keyOfRequest, async (request, signal) => {
        await start()
        // Its locks must not be taken for those of the dead.
        if (mirror.needsSweep || mirror.isDamaged) await stopTidying(mirror)
        try {
          await fetchMirror(git, mirror, request, { silenceMs }, signal)
        } finally {
          mirror.heads = undefined
        }
        tidyNowAndThen(git, mirror)
      }),
    }
    mirrors.set(id, mirror)
    return mirror
  }

  const headsOf = (mirror: Mirror) => {
    mirror.heads ??= readHeads(git, mirror).catch((error) => {
      mirror.heads = undefined
      throw error
    })
    return mirror.heads
  }

  return {
    async fetch(source, signal) {
      await mirrorOf(source).batches.join({ place: placeOf(source), token: source.token }, signal)
    },

    async head(source, branch) {
      return (await headsOf(mirrorOf(source))).get(branch)
    },

    async branches(source) {
      return headsOf(mirrorOf(source))
    },

    async has(source, commitSha) {
      const { path } = mirrorOf(source)
      if (!isSha(commitSha) || !(await isMirror(path))) return false
      const found = await git(['cat-file', '-e', `${commitSha}^{commit}`], { gitDir: path })
      return found.isOk
    },

    async checkout(source, commitSha, target, signal) {
      const mirror = mirrorOf(source)
      const gitDir = mirror.path
      signal.throwIfAborted()
      if (!isSha(commitSha) || !(await isMirror(gitDir))) throw absent(commitSha)
      await start()
      const { context } = source
      const request = { gitDir, commitSha, context, folder: target, scratchFolder }
      try {
        await checkoutCommit(git, request, signal)
      } catch (error) {
        if (!(error instanceof DamagedMirror)) throw error
        const known = await git(['cat-file', '-e', `${commitSha}^{commit}`], { gitDir })
        const isHead = [...(await headsOf(mirror).catch(() => new Map())).values()].includes(
          commitSha,
        )
        if (!known.isOk && !isHead) throw absent(commitSha)
        mirror.isDamaged = true
        throw new DaemonError(
          'transient',
          'the copy of the repository was damaged: the next fetch makes it anew',
          { cause: error },
        )
      }
    },

    async remove(source) {
      const mirror = mirrorOf(source)
      await mirror.batches.stop(
        new DaemonError('unprocessable', 'the project was removed while it was fetched'),
      )
      await stopTidying(mirror)
      mirrors.delete(placeOf(source).id)
      await removeMirror(mirror.path)
    },

    originOf: (repoDir) => originOf(git, repoDir),
  }
}

/** Callers share a fetch only with those who show the same token: what one may read another may not. */
function keyOfRequest({ token }: FetchRequest): string {
  return token === null ? '' : createHash('sha256').update(token.reveal()).digest('hex')
}

async function readHeads(git: GitProgram, mirror: Mirror): Promise<ReadonlyMap<string, string>> {
  if (!(await isMirror(mirror.path))) return new Map()
  const listed = await git(
    ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/'],
    { gitDir: mirror.path, outputBytes: 256 * 2 ** 20 },
  )
  if (!listed.isOk) {
    mirror.isDamaged = true
    throw new DaemonError(
      'transient',
      'the copy of the repository was damaged: the next fetch makes it anew',
    )
  }
  const lines = listed.stdout.toString('utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(' ')
      return [line.slice(at + 1), line.slice(0, at)]
    }),
  )
}

/** Small packs of many fetches become one; what no branch reaches goes after a month. Nobody waits for it. */
function tidyNowAndThen(git: GitProgram, mirror: Mirror): void {
  mirror.fetches += 1
  if (mirror.fetches % 10 !== 0 || mirror.tidying) return
  const abort = new AbortController()
  const done = git(['gc', '--auto', '--quiet'], { gitDir: mirror.path, signal: abort.signal })
    .then(({ isOk }) => {
      if (!isOk) mirror.needsSweep = true
    })
    .catch(() => {
      mirror.needsSweep = true
    })
    .finally(() => {
      mirror.tidying = undefined
    })
  mirror.tidying = { abort, done }
}

async function stopTidying(mirror: Mirror): Promise<void> {
  mirror.tidying?.abort.abort()
  await mirror.tidying?.done
}

function isSha(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

function absent(commitSha: string): DaemonError {
  return new DaemonError(
    'unprocessable',
    `the commit ${commitSha.slice(0, 64)} is not in the repository any more`,
  )
}
