import type { LogLine } from '../ports.ts'

export type AppStream = 'stdout' | 'stderr'

/** Offsets in the raw files up to which the log contains the output. */
export type Consumed = Readonly<Record<AppStream, number>>

/** A line that is not yet in the log and has no id. `raw` is the offset directly after the line in the raw file. */
export interface NewLine {
  readonly ts: string
  readonly stream: LogLine['stream']
  readonly line: string
  readonly raw?: number
}

export type LogRecord =
  | ({ readonly kind: 'line' } & NewLine)
  /** Read offsets, written at the start of each segment and after each truncation of a raw file. */
  | { readonly kind: 'mark'; readonly consumed: Consumed; readonly cutting: AppStream | null }

/** Returns one line of a segment. A record holds both the text and its raw offset, so that the two can't diverge. */
export function encodeLine({ ts, stream, line, raw }: NewLine): string {
  const place = raw === undefined ? '' : `"raw":${raw},`
  return `{"ts":"${ts}","stream":"${stream}",${place}"line":${JSON.stringify(line)}}\n`
}

/** `cutting` is the raw file that is about to be truncated. */
export function encodeMark(consumed: Consumed, cutting: AppStream | null = null): string {
  return `${JSON.stringify({ consumed, ...(cutting && { cutting }) })}\n`
}

/** Parses a record. Returns undefined for an incomplete record: a reader may start in the middle of a record. */
export function decodeRecord(text: string): LogRecord | undefined {
  const value = tryParse(text)
  if (typeof value !== 'object' || value === null) return undefined
  // The cast is unsafe only for a damaged line, because the daemon wrote the file. The checks below reject damaged
  // lines.
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
