import { DaemonError } from '../errors.ts'
import type { GitResult } from './git-program.ts'

/** Whom a fetch went to, as a sentence names it. */
export interface Place {
  /** A host, or the path of a folder. */
  readonly name: string
  readonly kind: 'host' | 'folder'
  readonly hasToken: boolean
}

/**
 * What a failed fetch means to a person, from git's own words (`stderr`: already scrubbed). `undefined` when they say
 * nothing about the remote: then the mirror itself may be at fault.
 */
export function fetchFailure(
  { end }: Pick<GitResult, 'end'>,
  stderr: string,
  place: Place,
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
        ? `${place.name} did not answer for ${seconds} s, so the fetch was ended`
        : `the fetch from ${place.name} was ended after ${seconds} s`,
    )
  }
  if (end.kind !== 'exited') {
    return new DaemonError('transient', `the fetch from ${place.name} was interrupted`)
  }
  const rule = rules.find(({ words }) => words.test(stderr))
  return rule && new DaemonError(rule.kind, rule.sentence(place, lastLine(stderr)))
}

/** The last line that says what went wrong, at most 300 characters. */
export function lastLine(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isNoise(line))
  const told =
    lines.findLast((line) => /^(fatal|error|ERROR|ssh|remote): /.test(line)) ?? lines.at(-1)
  return (told ?? 'git gave no reason').replace(/^fatal: /, '').slice(0, 300)
}

interface Rule {
  readonly words: RegExp
  readonly kind: 'transient' | 'unprocessable'
  sentence(place: Place, line: string): string
}

/** The first that fits counts: ssh ends most faults with the same line about access rights. */
const rules: readonly Rule[] = [
  {
    words: /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/i,
    kind: 'unprocessable',
    sentence: ({ name }) =>
      `the ssh key of ${name} is not known to the daemon's user: add it to known_hosts (ssh-keyscan)`,
  },
  {
    words:
      /certificate (verification failed|problem|subject name|has expired)|unable to get local issuer|self.signed certificate/i,
    kind: 'unprocessable',
    sentence: ({ name }, line) => `the certificate of ${name} is not accepted: ${line}`,
  },
  {
    words: /returned error: 30\d/i,
    kind: 'unprocessable',
    sentence: ({ name }) =>
      `${name} says that the repository has moved: register it under its present URL`,
  },
  {
    words: /could not read (Username|Password)|Authentication failed|returned error: 40[13]/i,
    kind: 'unprocessable',
    sentence: ({ name, hasToken }) =>
      hasToken
        ? `${name} refused the git_token of the project: set one that may read the repository`
        : `${name} asks for a credential, or has no such repository: check the URL, or set git_token`,
  },
  {
    words:
      /Permission denied \((publickey|password|keyboard|gssapi|hostbased)|Too many authentication failures/i,
    kind: 'unprocessable',
    sentence: ({ name }) =>
      `${name} refused the ssh key of the daemon's user: add its public key to the repository`,
  },
  {
    words:
      /Could not resolve|Name or service not known|Temporary failure in name resolution|Failed to connect|Couldn't connect|Connection (refused|reset|timed out|closed)|Network is unreachable|No route to host|Operation timed out|Operation too slow|early EOF|RPC failed|unexpected disconnect|hung up unexpectedly|returned error: (5\d\d|429|408)|Empty reply|gnutls|SSL_(read|connect|ERROR)|OpenSSL|invalid index-pack output|index-pack (died|failed)|kex_exchange|Broken pipe|Resource temporarily unavailable/i,
    kind: 'transient',
    sentence: ({ name }, line) => `${name} could not be reached: ${line}`,
  },
  {
    words: /No space left|Disk quota|Cannot allocate memory|out of memory/i,
    kind: 'transient',
    sentence: (_, line) => `the daemon's machine has no room for the repository: ${line}`,
  },
  {
    words:
      /repository .* not found|returned error: (404|410)|does not appear to be a git repository|is this a git repository\?|Repository not found|could not be found|project you were looking for/i,
    kind: 'unprocessable',
    sentence: ({ name, kind }) =>
      kind === 'folder'
        ? `${name} is not a git repository that the daemon's user can read`
        : `${name} has no such repository, or does not show it: check the URL and the git_token`,
  },
  {
    words: /transport '.*' not allowed|Unsupported protocol|protocol .* not supported/i,
    kind: 'unprocessable',
    sentence: ({ name }) => `${name} leads to a protocol that is not allowed: use https or ssh`,
  },
  {
    words: /unable to access 'http/i,
    kind: 'transient',
    sentence: ({ name }, line) => `${name} could not be reached: ${line}`,
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
