/**
 * Returns the most informative line of a failed command: the last error, otherwise npm's summary, otherwise the last
 * line. At most 300 characters; undefined without output. `mask` removes secrets before the cut.
 */
export function failureLine(
  output: string,
  mask: (text: string) => string = (text) => text,
): string | undefined {
  const lines = mask(output.replace(escapes, ''))
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  const npm = lines
    .filter((line) => npmLine.test(line))
    .map((line) => line.replace(npmLine, '').trim())
  const own = lines.filter((line) => !npmLine.test(line) && !noise.test(line))
  const line =
    own.find((line) => compiler.test(line)) ??
    own.findLast((line) =>
      /\b(error|failed|cannot|can't|not found|missing|unexpected)\b|Error:/i.test(line),
    ) ??
    npm.find((line) => line !== '' && !npmNoise.test(line)) ??
    own.at(-1)
  return line?.slice(0, 300)
}

/** Returns whether npm reports a failure of the network or the machine, not of the project. */
export function isTemporaryFailure(output: string): boolean {
  return temporary.some((pattern) => pattern.test(output))
}

/** Failures of npm, pip and Go to reach a registry. */
const temporary = [
  /Temporary failure in name resolution|Failed to establish a new connection|Read timed out|ReadTimeoutError|No space left on device/,
  /dial tcp.*(?:i\/o timeout|connection refused|no such host)|TLS handshake timeout|ERR_PNPM_META_FETCH_FAIL/,
  /npm (?:error|ERR!) (?:code|errno) (?:EAI_AGAIN|ENOTFOUND|ECONNRESET|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|EPIPE|ENOSPC|E429|E5\d\d)\b/,
]

/** Matches an error of the Go compiler. The first one is often the cause of the others. */
const compiler = /^\S+\.go:\d+:\d+: /
const npmLine = /^npm (?:error|ERR!)/
const npmNoise =
  /^(?:code|errno|syscall|path|dest|command|signal|workspace|location|Lifecycle script|A complete log|\/|If you|Run "npm|npm help)/i
/** Matches stack frames, Node's version and npm's warnings. */
const noise = /^(?:at |Node\.js v|\^|> |npm (?:warn|notice)|\$ )/
/** Matches ANSI escapes for colors and cursor movement. */
const escapes = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|[@-Z\\\\-_])`, 'g')
