import { stripVTControlCharacters } from 'node:util'

const maxLines = 3
const maxLength = 500

/** Returns the last lines of a crashed app's error output (or of its other output), without stack frames. */
export function crashExcerpt(lines: readonly { stream: string; line: string }[]): string {
  const own = lines.filter(({ stream }) => stream !== 'build')
  const errors = own.filter(({ stream }) => stream === 'stderr')
  return (errors.length > 0 ? errors : own)
    .map(({ line }) => stripVTControlCharacters(line).trim())
    .filter(
      (line) => line !== '' && !/^(at .*\(?.*:\d+:\d+\)?|Node\.js v[\d.]+|[{}^]+)$/.test(line),
    )
    .slice(-maxLines)
    .join(' | ')
    .slice(0, maxLength)
}

/** Returns advice if a text reports that an environment variable is missing or invalid. */
export function settingHint(text: string): string | undefined {
  const name = nameFirst.exec(text)?.[1] ?? nameLast.exec(text)?.[1]
  return name && /^[A-Z0-9_]+$/.test(name)
    ? `set it as a secret: strata env set ${name}`
    : undefined
}

/** Matches `JWT_SECRET is required`. */
const nameFirst =
  /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b['"`]?,? (?:is|was|must|not|has|needs|missing|undefined)/
/** Matches `missing environment variable "JWT_SECRET"`. */
const nameLast =
  /(?:[Mm]issing|[Uu]ndefined|[Rr]equired?s?|[Uu]nset|not set)[^A-Z]{0,40}\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/
