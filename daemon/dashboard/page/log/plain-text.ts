import type { LineRing, LogEntry } from './line-ring.ts'

/** Returns lines as text, one a line. `to` is exclusive. */
export function textOfLines(ring: LineRing, from: number, to: number): string {
  return entries(ring, from, to)
    .map(({ text }) => text)
    .join('\n')
}

/** Returns the loaded lines as the text of a file: time, stream and text of each. */
export function textOfFile(ring: LineRing): string {
  const lines = entries(ring, ring.first(), ring.end())
  return lines.map(({ ts, stream, text }) => `${ts} ${stream} ${text}\n`).join('')
}

/** Returns a file name of letters, digits, dots and dashes for a log. */
export function fileNameOf(name: string): string {
  const safe = name
    .normalize('NFKD')
    .replace(/[^\w.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  return `${safe.slice(0, 80) || 'log'}.log`
}

/** Returns a time of day with milliseconds, in the time zone of the browser. */
export function timeOfDay(ts: string): string {
  const time = new Date(ts)
  const part = (value: number, length = 2) => String(value).padStart(length, '0')
  return `${part(time.getHours())}:${part(time.getMinutes())}:${part(time.getSeconds())}.${part(time.getMilliseconds(), 3)}`
}

function entries(ring: LineRing, from: number, to: number): LogEntry[] {
  const found: LogEntry[] = []
  for (let seq = Math.max(from, ring.first()); seq < Math.min(to, ring.end()); seq += 1) {
    const entry = ring.at(seq)
    if (entry) found.push(entry)
  }
  return found
}
