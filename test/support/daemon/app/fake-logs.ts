import type { LogKey } from '../../../../daemon/domain/process-names.ts'
import type { LogLine, Logs } from '../../../../daemon/ports.ts'

export interface FakeLogs extends Logs {
  readonly lines: Map<LogKey, LogLine[]>
  readonly ended: LogKey[]
}

export function createFakeLogs(): FakeLogs {
  const lines = new Map<LogKey, LogLine[]>()
  const ended: LogKey[] = []
  const of = (id: LogKey) => {
    const own = lines.get(id) ?? []
    lines.set(id, own)
    return own
  }
  return {
    lines,
    ended,
    sink: (id, stream) => ({
      write: (chunk) => {
        const line = new TextDecoder().decode(chunk).trimEnd()
        of(id).push({ id: of(id).length + 1, ts: '2026-01-01T00:00:00.000Z', stream, line })
      },
      end: async () => undefined,
    }),
    tail: async (id, count) => of(id).slice(-count),
    async *follow(id, afterId) {
      yield* of(id).filter((line) => line.id > (afterId ?? 0))
    },
    end: (id) => void ended.push(id),
    remove: async (id) => void lines.delete(id),
  }
}
