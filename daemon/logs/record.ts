import type { LogLine } from '../ports.ts'

export type AppStream = 'stdout' | 'stderr'

/** Bytes of each raw file that are in the log already. */
export type Consumed = Readonly<Record<AppStream, number>>

/** A line on its way into the log: it has no id yet. `raw`: offset in its raw file just after it. */
export interface NewLine {
  readonly ts: string
  readonly stream: LogLine['stream']
  readonly line: string
  readonly raw?: number
}

export type LogRecord =
  | ({ readonly kind: 'line' } & NewLine)
  /** Stands at the start of each segment, and wherever a raw file began anew. */
  | { readonly kind: 'mark'; readonly consumed: Consumed; readonly cutting: AppStream | null }

/** One line of a segment. What was consumed is written together with what it became, so the two can't disagree. */
export function encodeLine({ ts, stream, line, raw }: NewLine): string {
  const place = raw === undefined ? '' : `"raw":${raw},`
  return `{"ts":"${ts}","stream":"${stream}",${place}"line":${JSON.stringify(line)}}\n`
}

/** `cutting`: the raw file that is about to be cut while an app writes to it. */
export function encodeMark(consumed: Consumed, cutting: AppStream | null = null): string {
  return `${JSON.stringify({ consumed, ...(cutting && { cutting }) })}\n`
}

/** Undefined for what is no whole record: a reader may begin in the midst of one. */
export function decodeRecord(text: string): LogRecord | undefined {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return undefined
  // Our own files; a damaged line is left out, as one that doesn't parse.
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
