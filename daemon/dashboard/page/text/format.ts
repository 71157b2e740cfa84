/** Returns `1 branch` or `3 branches`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${numberFormat.format(count)} ${count === 1 ? singular : plural}`
}

const numberFormat = new Intl.NumberFormat('en')

/** Returns a size with a binary unit: `512 B`, `1.5 KiB`, `24 GiB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 100 ? 0 : 1
  return `${new Intl.NumberFormat('en', { maximumFractionDigits: digits }).format(value)} ${units[power]}`
}

/** Returns the first 7 digits of a commit hash. */
export function shortSha(sha: string): string {
  return sha.slice(0, 7)
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const steps = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Returns a time relative to `nowMs`: `just now`, `5 min. ago`, `in 2 days`. */
export function relativeText(timeMs: number, nowMs: number): string {
  const seconds = Math.round((timeMs - nowMs) / 1000)
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  if (seconds > 15) return 'in less than a minute'
  return seconds > -30 ? 'just now' : 'less than a minute ago'
}

/** Returns a time in the language and the time zone of the browser. */
export function absoluteText(timeMs: number): string {
  return absolute.format(timeMs)
}

/** Returns a duration in words: `30m` becomes `30 minutes`. */
export function durationWords(text: string): string {
  const [, count = '', unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const word = { s: 'second', m: 'minute', h: 'hour', d: 'day' }[unit]
  return word === undefined ? text : counted(Number(count), word)
}
