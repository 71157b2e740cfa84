import type { LogLine } from '../ports.ts'

export type AppStream = 'stdout' | 'stderr'

/** For each raw file, the offset up to which the log has its output. */
export type Consumed = Readonly<Record<AppStream, number>>

/** A line without an id, not yet in the log. `raw` is the offset just after the line in the raw file. */
export interface NewLine {
  readonly ts: string
  readonly stream: LogLine['stream']
  readonly line: string
  readonly raw?: number
}

export type LogRecord =
  | ({ readonly kind: 'line' } & NewLine)
  /** Written at the start of each segment and after each truncation of a raw file. */
  | { readonly kind: 'mark'; readonly consumed: Consumed; readonly cutting: AppStream | null }

/** Returns one line of a segment. A record has both the line and its raw offset, so that they can't diverge. */
export function encodeLine({ ts, stream, line, raw }: NewLine): string {
  const place = raw === undefined ? '' : `"raw":${raw},`
  return `{"ts":"${ts}","stream":"${stream}",${place}"line":${JSON.stringify(line)}}\n`
}

/** `cutting` is the raw file that is about to be truncated. */
export function encodeMark(consumed: Consumed, cutting: AppStream | null = null): string {
  return `${JSON.stringify({ consumed, ...(cutting && { cutting }) })}\n`
}

/** Returns undefined for an incomplete record: a reader may start in the middle of a record. */
export function decodeRecord(text: string): LogRecord | undefined {
  const value = tryParse(text)
  if (typeof value !== 'object' || value === null) return undefined
  // The daemon wrote the file, so the cast is safe but for a damaged line. The checks below reject a damaged line.
  const { ts, stream, line, raw, consumed, cutting } = value as Partial<NewLine> & {
    consumed?: Partial<Consumed>
    cutting?: AppStream
  }
  if (typeof consumed === 'object') {
    const { stdout = 0, stderr = 0 } = consumed
    return { kind: 'mark', consumed: { stdout, stderr }, cutting: cutting ?? null }
  }
  if (typeof ts !== 'string' || typeof line !== 'string' || stream === undefined) return undefined
  return { kind: 'line', ts, stream, line, ...(typeof raw === 'number' && { raw }) }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
