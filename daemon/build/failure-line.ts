/**
 * The line of a failed command's output that says most: the last error, else the last line; npm's own summary only when
 * there is nothing else. At most 300 characters, undefined when there is none.
 */
export function meaningfulLine(output: string): string | undefined {
  const lines = output
    .replace(escapes, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  const npm = lines
    .filter((line) => npmLine.test(line))
    .map((line) => line.replace(npmLine, '').trim())
  const own = lines.filter((line) => !npmLine.test(line) && !noise.test(line))
  const told =
    own.findLast((line) =>
      /\b(error|failed|cannot|can't|not found|missing|unexpected)\b|Error:/i.test(line),
    ) ??
    npm.find((line) => line !== '' && !npmNoise.test(line)) ??
    own.at(-1)
  return told?.slice(0, 300)
}

/** Faults of the network or the machine and not of the project, in the words of npm. */
export function isPassing(output: string): boolean {
  return /npm (?:error|ERR!) (?:code|errno) (?:EAI_AGAIN|ENOTFOUND|ECONNRESET|ECONNREFUSED|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH|EPIPE|ENOSPC|E429|E5\d\d)\b/.test(
    output,
  )
}

const npmLine = /^npm (?:error|ERR!)/
const npmNoise =
  /^(?:code|errno|syscall|path|dest|command|signal|workspace|location|Lifecycle script|A complete log|\/|If you|Run "npm|npm help)/i
/** Where in a program it happened, how long it took, and what Node says about itself. */
const noise = /^(?:at |Node\.js v|\^|> |npm (?:warn|notice)|\$ )/
/** Colours and cursor movements. */
const escapes = new RegExp(`${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|[@-Z\\\\-_])`, 'g')
