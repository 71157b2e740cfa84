import { rm } from 'node:fs/promises'
import { DaemonError } from '../errors.ts'
import type { Redacted } from '../ports.ts'
import { credentialConfig, scrub } from './credential.ts'
import { fetchFailure, lastLine } from './fetch-failure.ts'
import type { GitProgram, GitResult } from './git-program.ts'
import { createMirror, isMirror, replaceMirror, sweepMirror, temporaryPath } from './mirror.ts'
import type { SourcePlace } from './source-place.ts'

/** In-memory state of a mirror. */
export interface MirrorState {
  readonly path: string
  /** True if a git process may have died in the mirror and left locks or partial files. */
  needsSweep: boolean
  /** True if git could not read an object. The next fetch then rebuilds the mirror. */
  isDamaged: boolean
  /** True if the host requires the suffix `.git`, which the URL lacks. */
  needsSuffix: boolean
}

export interface FetchRequest {
  readonly place: SourcePlace
  readonly token: Redacted | null
  /** git settings that keep the host at its checked addresses. */
  readonly pins?: readonly (readonly [name: string, value: string])[]
}

export interface FetchLimits {
  readonly silenceMs: number
}

/**
 * Updates a mirror to the branches of its remote. Creates a missing mirror and rebuilds a damaged one. Not reentrant:
 * only one fetch per mirror may run. Throws DaemonError `transient` or `unprocessable`, or the reason of `signal`.
 */
export async function fetchMirror(
  git: GitProgram,
  mirror: MirrorState,
  request: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  if (!mirror.isDamaged) {
    if (!(await isMirror(mirror.path))) await createMirror(mirror.path)
    else if (mirror.needsSweep) await sweepMirror(mirror.path)
    mirror.needsSweep = true
    const failure = await fetchInto(git, mirror.path, mirror, request, limits, signal)
    if (failure === undefined) {
      mirror.needsSweep = false
      return
    }
    if (failure.kind === 'remote') {
      // git leaves locks only if it is killed.
      mirror.needsSweep = failure.wasKilled
      throw failure.error
    }
  }
  await rebuildMirror(git, mirror, request, limits, signal)
}

/** Fetches into a new mirror, then replaces the damaged one. */
async function rebuildMirror(
  git: GitProgram,
  mirror: MirrorState,
  request: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<void> {
  const fresh = temporaryPath(mirror.path)
  try {
    let failure: Failure | undefined
    for (const format of ['sha1', 'sha256'] as const) {
      await rm(fresh, { recursive: true, force: true })
      await createMirror(fresh, format)
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
  /** Cause of a failure: the remote, a damaged mirror, or a mirror with the other hash format. */
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
  { place, token, pins = [] }: FetchRequest,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<GitResult> {
  const run = (url: string) =>
    git([...fetchArguments, '--', url, '+refs/heads/*:refs/heads/*'], {
      gitDir,
      allow: place.protocols,
      config: [...credentialConfig(place.url, token), ...pins],
      silenceMs: limits.silenceMs,
      signal,
    })
  const suffixed = `${place.url}.git`
  const result = await run(mirror.needsSuffix ? suffixed : place.url)
  if (!isRedirect(result) || mirror.needsSuffix || place.url.endsWith('.git')) return result
  // GitLab redirects to the URL with `.git`. git does not follow redirects with a token, so try that URL directly.
  const second = await run(suffixed)
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
  // Request progress output: the limit on silence requires regular output.
  '--progress',
] as const

/** Returns true if the host redirects to another URL, which git does not follow with a token. */
export function isRedirect({ stderr }: GitResult): boolean {
  return /returned error: 30\d/.test(stderr)
}
