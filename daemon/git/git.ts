import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { DefaultBranch, Git, GitSource } from '../ports.ts'
import { killMarked } from '../spawn/kill-marked.ts'
import { type Batches, createBatches } from './batches.ts'
import { checkoutCommit, DamagedMirror } from './checkout.ts'
import { type FetchRequest, fetchMirror, type MirrorState } from './fetch-mirror.ts'
import { createGitProgram, type GitProgram, markOf } from './git-program.ts'
import { isMirror, removeMirror, sweepFolder } from './mirror.ts'
import { originOf } from './origin.ts'
import { addressesOf, pinConfig, type Resolve, resolveName } from './remote-addresses.ts'
import { readRemoteBranches } from './remote-branches.ts'
import { readRemoteHead } from './remote-head.ts'
import { placeOf } from './source-place.ts'

export interface GitOptions {
  /** Absolute path of the folder of mirrors. Only one daemon may use the folder at a time. */
  readonly folder: string
  /** Time limit of one git run. The first fetch of a large repository takes minutes. */
  readonly timeoutMs: number
  /** Maximum time without data from the remote during a fetch; default 60 s. */
  readonly silenceMs?: number
  /** The daemon's environment. git inherits PATH, HOME (for ssh), proxies and certificates. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: the resolution of the system. */
  readonly resolve?: Resolve
}

export interface NodeGit extends Git {
  /** Returns `host/path` of the `origin` remote of a local repository, or null. */
  originOf(repoDir: string): Promise<string | null>
  /** Throws `bad-request` if the host of a normalized URL resolves to a refused address. An unknown name passes. */
  checkHost(url: string): Promise<void>
}

interface Mirror extends MirrorState {
  readonly batches: Batches<FetchRequest>
  /** Cached branches; undefined after a fetch. */
  heads: Promise<ReadonlyMap<string, string>> | undefined
  /** Branch of the remote's HEAD. Read again after an hour, by the monotonic clock. */
  defaultBranch: { readonly branch: DefaultBranch; readonly readAt: number } | undefined
  fetches: number
  maintenance: { readonly abort: AbortController; readonly done: Promise<unknown> } | undefined
}

/** Creates the git adapter. It keeps one bare mirror per URL. */
export function createGit(options: GitOptions): NodeGit {
  const { folder, timeoutMs, silenceMs = 60_000, resolve = resolveName } = options
  const git = createGitProgram({ folder, env: options.env, timeoutMs })
  const mirrors = new Map<string, Mirror>()
  const scratchFolder = join(folder, 'scratch')
  let ready: Promise<unknown> | undefined

  /** Runs once per process: kills git processes of a previous daemon, then removes its partial files. */
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
      defaultBranch: undefined,
      fetches: 0,
      maintenance: undefined,
      batches: createBatches(keyOfRequest, async (asked, signal) => {
        await start()
        const request = await withPins(asked, resolve)
        // Stop maintenance first: the cleanup would remove the locks of running maintenance.
        if (mirror.needsSweep || mirror.isDamaged) await stopMaintenance(mirror)
        const fetched = new AbortController()
        const head = refreshHead(git, mirror, request, fetched.signal)
        try {
          await fetchMirror(git, mirror, request, { silenceMs }, signal)
          await head
        } finally {
          fetched.abort()
          await head
          mirror.heads = undefined
        }
        maintain(git, mirror)
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

    async remoteBranches(source, signal) {
      await start()
      const asked = { place: placeOf(source), token: source.token }
      return readRemoteBranches(git, await withPins(asked, resolve), signal)
    },

    async defaultBranch(source) {
      const mirror = mirrorOf(source)
      const found = mirror.defaultBranch?.branch
      return found && (await headsOf(mirror)).has(found.name) ? found : undefined
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
      if (!isSha(commitSha) || !(await isMirror(gitDir))) throw missingCommit(commitSha)
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
        if (!known.isOk && !isHead) throw missingCommit(commitSha)
        mirror.isDamaged = true
        throw new DaemonError(
          'transient',
          'the local copy of the repository is damaged: the next fetch rebuilds it',
          { cause: error },
        )
      }
    },

    async remove(source) {
      const mirror = mirrorOf(source)
      await mirror.batches.stop(
        new DaemonError('unprocessable', 'the project was removed during the fetch'),
      )
      await stopMaintenance(mirror)
      mirrors.delete(placeOf(source).id)
      await removeMirror(mirror.path)
    },

    originOf: (repoDir) => originOf(git, repoDir),

    async checkHost(url) {
      await addressesOf(url, resolve)
    },
  }
}

const headMs = 3_600_000

/** Reads the HEAD of the remote during the fetch, at most once an hour, because it costs another request. */
async function refreshHead(
  git: GitProgram,
  mirror: Mirror,
  { place, token }: FetchRequest,
  signal: AbortSignal,
): Promise<void> {
  const known = mirror.defaultBranch
  if (known && performance.now() - known.readAt < headMs) return
  const url = mirror.needsSuffix ? `${place.url}.git` : place.url
  const branch = await readRemoteHead(git, { place: { ...place, url }, token }, signal)
  if (branch) mirror.defaultBranch = { branch, readAt: performance.now() }
}

/** Callers with different tokens do not share a fetch, because their tokens may read different repositories. */
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
      'the local copy of the repository is damaged: the next fetch rebuilds it',
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

/** Checks the addresses of a remote's host, and keeps git to them. */
async function withPins(request: FetchRequest, resolve: Resolve): Promise<FetchRequest> {
  const { kind, url } = request.place
  if (kind === 'folder') return request
  try {
    return { ...request, pins: pinConfig(url, await addressesOf(url, resolve)) }
  } catch (error) {
    // The caller asked for a deploy: its request is valid, the remote is not.
    if (!(error instanceof DaemonError) || error.kind !== 'bad-request') throw error
    throw new DaemonError('unprocessable', error.message, { cause: error })
  }
}

/** Runs `git gc` in the background after every tenth fetch. It removes unreachable commits after a month. */
function maintain(git: GitProgram, mirror: Mirror): void {
  mirror.fetches += 1
  if (mirror.fetches % 10 !== 0 || mirror.maintenance) return
  const abort = new AbortController()
  const done = git(['gc', '--auto', '--quiet'], { gitDir: mirror.path, signal: abort.signal })
    .then(({ isOk }) => {
      if (!isOk) mirror.needsSweep = true
    })
    .catch(() => {
      mirror.needsSweep = true
    })
    .finally(() => {
      mirror.maintenance = undefined
    })
  mirror.maintenance = { abort, done }
}

async function stopMaintenance(mirror: Mirror): Promise<void> {
  mirror.maintenance?.abort.abort()
  await mirror.maintenance?.done
}

function isSha(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

function missingCommit(commitSha: string): DaemonError {
  return new DaemonError(
    'unprocessable',
    `the commit ${commitSha.slice(0, 64)} is no longer in the repository`,
  )
}
