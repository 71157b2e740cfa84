import { DaemonError } from '../errors.ts'
import { credentialConfig, scrub } from './credential.ts'
import { fetchFailure, lastLine } from './fetch-failure.ts'
import { type FetchRequest, isRedirect } from './fetch-mirror.ts'
import type { GitProgram } from './git-program.ts'

const timeoutMs = 30_000

/** About 200,000 branches. */
const outputBytes = 16 * 2 ** 20

/** Returns the commits of a remote's branches, without fetching them. Throws `transient` or `unprocessable`. */
export async function readRemoteBranches(
  git: GitProgram,
  { place, token, pins = [] }: FetchRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const list = (url: string) =>
    git(['ls-remote', '--heads', '--', url], {
      allow: place.protocols,
      config: [...credentialConfig(place.url, token), ...pins],
      ...{ timeoutMs, outputBytes, signal },
    })
  const first = await list(place.url)
  const listed =
    isRedirect(first) && !place.url.endsWith('.git') ? await list(`${place.url}.git`) : first
  signal.throwIfAborted()
  if (listed.isOk) return branchesOf(listed.stdout.toString('utf8'))
  const stderr = scrub(listed.stderr, token)
  const { name, kind } = place
  throw (
    fetchFailure(listed, stderr, { name, kind, hasToken: token !== null }) ??
    new DaemonError('transient', `could not list the branches of ${name}: ${lastLine(stderr)}`)
  )
}

const prefix = 'refs/heads/'

/** Parses the lines `<commit> TAB <ref>`. */
function branchesOf(text: string): Map<string, string> {
  const pairs = text.split('\n').map((line) => line.split('\t'))
  return new Map(
    pairs.flatMap(([commit = '', ref = '']) =>
      ref.startsWith(prefix) ? [[ref.slice(prefix.length), commit] as const] : [],
    ),
  )
}
