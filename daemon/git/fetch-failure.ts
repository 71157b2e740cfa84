import { DaemonError } from '../errors.ts'
import type { GitResult } from './git-program.ts'

/** The remote of a fetch, for messages. */
export interface RemoteLabel {
  /** A host or the path of a folder. */
  readonly name: string
  readonly kind: 'host' | 'folder'
  readonly hasToken: boolean
}

/**
 * Returns the error for a failed fetch. `stderr` must contain no credentials. Returns undefined if the remote is not
 * the cause: then the mirror may be damaged.
 */
export function fetchFailure(
  { end }: Pick<GitResult, 'end'>,
  stderr: string,
  remote: RemoteLabel,
): DaemonError | undefined {
  if (end.kind === 'not-started') {
    return new DaemonError('internal', 'the git program could not be started: install git', {
      cause: end.error,
    })
  }
  if (end.kind === 'timed-out') {
    const seconds = Math.ceil(end.afterMs / 1000)
    return new DaemonError(
      'transient',
      end.wasSilent
        ? `${remote.name} did not answer for ${seconds} s, so the fetch was stopped`
        : `the fetch from ${remote.name} was stopped after ${seconds} s`,
    )
  }
  if (end.kind !== 'exited') {
    return new DaemonError('transient', `the fetch from ${remote.name} was interrupted`)
  }
  const rule = rules.find(({ pattern }) => pattern.test(stderr))
  return rule && new DaemonError(rule.kind, rule.message(remote, lastLine(stderr)))
}

/** Returns the last error line, at most 300 characters. */
export function lastLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isNoise(line))
  const reason =
    lines.findLast((line) => /^(fatal|error|ERROR|ssh|remote): /.test(line)) ?? lines.at(-1)
  return (reason ?? 'git gave no reason').replace(/^fatal: /, '').slice(0, 300)
}

interface Rule {
  readonly pattern: RegExp
  readonly kind: 'transient' | 'unprocessable'
  message(remote: RemoteLabel, line: string): string
}

/** The first match wins, because ssh ends most failures with the same line about access rights. */
const rules: readonly Rule[] = [
  {
    pattern: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    kind: 'unprocessable',
    message: ({ name }) =>
      `the ssh host key of ${name} is unknown to the daemon's user: add it to known_hosts (ssh-keyscan)`,
  },
  {
    pattern:
      /certificate (verification failed|problem|subject name|has expired)|unable to get local issuer|self.signed certificate/i,
    kind: 'unprocessable',
    message: ({ name }, line) => `the certificate of ${name} is not valid: ${line}`,
  },
  {
    pattern: /returned error: 30\d/i,
    kind: 'unprocessable',
    message: ({ name }) =>
      `${name} says that the repository has moved: register it under its present URL`,
  },
  {
    pattern: /could not read (Username|Password)|Authentication failed|returned error: 40[13]/i,
    kind: 'unprocessable',
    message: ({ name, hasToken }) =>
      hasToken
        ? `${name} refused the git_token of the project: set a token that can read the repository`
        : `${name} asks for a credential or has no such repository: check the URL or set git_token`,
  },
  {
    pattern:
      /Permission denied \((publickey|password|keyboard|gssapi|hostbased)|Too many authentication failures/i,
    kind: 'unprocessable',
    message: ({ name }) =>
      `${name} refused the ssh key of the daemon's user: add its public key to the repository`,
  },
  {
    pattern:
      /Could not resolve|Name or service not known|Temporary failure in name resolution|Failed to connect|Couldn't connect|Connection (refused|reset|timed out|closed)|Network is unreachable|No route to host|Operation timed out|Operation too slow|early EOF|RPC failed|unexpected disconnect|hung up unexpectedly|returned error: (5\d\d|429|408)|Empty reply|gnutls|SSL_(read|connect|ERROR)|OpenSSL|invalid index-pack output|index-pack (died|failed)|kex_exchange|Broken pipe|Resource temporarily unavailable/i,
    kind: 'transient',
    message: ({ name }, line) => `${name} could not be reached: ${line}`,
  },
  {
    pattern: /No space left|Disk quota|Cannot allocate memory|out of memory/i,
    kind: 'transient',
    message: (_, line) =>
      `the daemon host has too little memory or disk for the repository: ${line}`,
  },
  {
    pattern:
      /repository .* not found|returned error: (404|410)|does not appear to be a git repository|is this a git repository\?|Repository not found|could not be found|project you were looking for/i,
    kind: 'unprocessable',
    message: ({ name, kind }) =>
      kind === 'folder'
        ? `${name} is not a git repository that the daemon's user can read`
        : `${name} has no such repository or hides it: check the URL and the git_token`,
  },
  {
    pattern: /transport '.*' not allowed|Unsupported protocol|protocol .* not supported/i,
    kind: 'unprocessable',
    message: ({ name }) => `${name} redirects to a forbidden protocol: use https or ssh`,
  },
  {
    pattern: /unable to access 'http/i,
    kind: 'transient',
    message: ({ name }, line) => `${name} could not be reached: ${line}`,
  },
]

function isNoise(line: string): boolean {
  return (
    /^(remote: )?(Enumerating|Counting|Compressing|Receiving|Resolving|Unpacking|Total|Updating) /.test(
      line,
    ) ||
    /^(From |hint:|fatal: Could not read from remote repository|Please make sure|and the repository exists|\s*[*+=!tx-]?\s*\[)/.test(
      line,
    )
  )
}
