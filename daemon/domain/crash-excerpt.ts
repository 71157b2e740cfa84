const mostLines = 3
const mostLength = 500

/** What an app that died said at its end, for a reason: the last lines of its own error output, frames of stacks left out. */
export function lastWords(lines: readonly { stream: string; line: string }[]): string {
  const own = lines.filter(({ stream }) => stream !== 'build')
  const errors = own.filter(({ stream }) => stream === 'stderr')
  return (errors.length > 0 ? errors : own)
    .map(({ line }) => line.trim())
    .filter(
      (line) => line !== '' && !/^(at .*\(?.*:\d+:\d+\)?|Node\.js v[\d.]+|[{}^]+)$/.test(line),
    )
    .slice(-mostLines)
    .join(' | ')
    .slice(0, mostLength)
}

/** For words that complain about a setting, how to set it. */
export function settingHint(words: string): string | undefined {
  const name = complaint.exec(words)?.[1] ?? demand.exec(words)?.[1]
  return name && /^[A-Z0-9_]+$/.test(name)
    ? `set it as a secret: strata env set ${name}`
    : undefined
}

/** `JWT_SECRET is required`, and `missing environment variable "JWT_SECRET"`. */
const complaint =
  /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b['"`]?,? (?:is|was|must|not|has|needs|missing|undefined)/
const demand =
  /(?:[Mm]issing|[Uu]ndefined|[Rr]equired?s?|[Uu]nset|not set)[^A-Z]{0,40}\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/
