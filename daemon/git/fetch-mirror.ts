import { rm } from 'node:fs/promises'
import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'
import { credentialConfig, scrub } from './credential.ts'
import { fetchFailure, lastLine } from './fetch-failure.ts'
import type { GitProgram, GitResult } from './git-program.ts'
import { besideMirror, isMirror, makeMirror, replaceMirror, sweepMirror } from './mirror.ts'
import type { SourcePlace } from './source-place.ts'

/** What this process knows of a mirror besides its files. */
export interface MirrorState {
  readonly path: string
  /** Processes of git may have died in it: their locks and halves are to go. */
  needsSweep: boolean
  /** git could not read something of it: it is to be made anew. */
  isDamaged: boolean
  /** The host wants `.git` at the end, which the URL has not. */
  needsSuffix: boolean
}

export interface FetchRequest {
  readonly place: SourcePlace
  readonly token: Redacted | null
}

export interface FetchLimits {
  readonly silenceMs: number
}

/**
 * Brings a mirror to what the remote has: its branches and no others. Makes it if it is not there, and anew if it is broken.
 * Nothing else may fetch into it meanwhile. Throws DaemonError `transient` or `unprocessable`, or the signal's reason.
 */
export async function fetchMirror(
  git: GitProgram,
  mirror: MirrorState,
  request: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  if (!mirror.isDamaged) {
    if (!(await isMirror(mirror.path))) await makeMirror(mirror.path)
    else if (mirror.needsSweep) await sweepMirror(mirror.path)
    mirror.needsSweep = true
    const failure = await fetchInto(git, mirror.path, mirror, request, limits, signal)
    if (failure === undefined) {
      mirror.needsSweep = false
      return
    }
    if (failure.kind === 'remote') {
      // Ended by itself, git took its locks with it.
      mirror.needsSweep = failure.wasKilled
      throw failure.error
    }
  }
  await fetchAnew(git, mirror, request, limits, signal)
}

/** A mirror that git can't work with is replaced when its successor is whole. */
async function fetchAnew(
  git: GitProgram,
  mirror: MirrorState,
  request: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  const fresh = besideMirror(mirror.path)
  try {
    let failure: Failure | undefined
    for (const format of ['sha1', 'sha256'] as const) {
      await rm(fresh, { recursive: true, force: true })
      await makeMirror(fresh, format)
      failure = await fetchInto(git, fresh, mirror, request, limits, signal)
      if (failure?.kind !== 'format') break
    }
    if (failure) throw failure.error
    await replaceMirror(fresh, mirror.path)
    mirror.isDamaged = false
    mirror.needsSweep = false
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

interface Failure {
  /** Whose fault it is: the remote's, the mirror's, or the mirror has hashes of another kind. */
  readonly kind: 'remote' | 'mirror' | 'format'
  readonly error: DaemonError
  readonly wasKilled: boolean
}

async function fetchInto(
  git: GitProgram,
  gitDir: string,
  mirror: MirrorState,
  request: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { place, token } = request
  const result = await runFetch(git, gitDir, mirror, request, limits, signal)
  signal.throwIfAborted()
  if (result.isOk) return undefined
  const stderr = scrub(result.stderr, token)
  const wasKilled = result.end.kind !== 'exited'
  const error = fetchFailure(result, stderr, {
    name: place.name,
    kind: place.kind,
    hasToken: token !== null,
  })
  if (error) return { kind: 'remote', error, wasKilled }
  return {
    kind: /mismatched algorithms|object format/i.test(stderr) ? 'format' : 'mirror',
    error: new DaemonError('transient', `the fetch from ${place.name} failed: ${lastLine(stderr)}`),
    wasKilled,
  }
}

async function runFetch(
  git: GitProgram,
  gitDir: string,
  mirror: MirrorState,
  { place, token }: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<GitResult> {
  const run = (url: string) =>
    git([...fetchArguments, '--', url, '+refs/heads/*:refs/heads/*'], {
      gitDir,
      allow: place.protocols,
      config: credentialConfig(place.url, token),
      silenceMs: limits.silenceMs,
      signal,
    })
  const longer = `${place.url}.git`
  const result = await run(mirror.needsSuffix ? longer : place.url)
  if (!isRedirect(result) || mirror.needsSuffix || place.url.endsWith('.git')) return result
  // GitLab redirects to the name with `.git`; with a token no redirect is followed, so that name is tried.
  const second = await run(longer)
  mirror.needsSuffix = second.isOk
  return second.isOk ? second : result
}

const fetchArguments = [
  'fetch',
  '--prune',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
  '--no-show-forced-updates',
  '--update-shallow',
  // Its lines are the signs of life that the limit on silence goes by.
  '--progress',
] as const

function isRedirect({ stderr }: GitResult): boolean {
  return /returned error: 30\d/.test(stderr)
}
