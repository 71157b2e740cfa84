import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import type { Exchange } from './exchange.ts'

/** Writes a line of JSON for each request. */
export interface AccessLog {
  write(exchange: Exchange): void
  /** Writes the buffered lines. */
  flush(): void
}

/** The log and its predecessor have at most this size each. */
const maxFileBytes = 32 * 2 ** 20
/** Lines above this size in one second are dropped, and counted in the next line. */
const maxBufferBytes = 4 * 2 ** 20
const intervalMs = 1_000

/**
 * Creates the log at a path, with mode 0600. Rotates it to `<path>.1`. Lines contain no query and no header: both may
 * hold secrets. A disk error drops lines and never affects a request.
 */
export function createAccessLog(path: string): AccessLog {
  let lines: string[] = []
  let size = 0
  let dropped = 0
  let timer: NodeJS.Timeout | null = null

  function flush(): void {
    timer = null
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    size = 0
    try {
      append(path, text)
    } catch {
      // A full disk must not stop the gateway.
    }
  }

  return {
    flush,
    write(exchange) {
      if (size > maxBufferBytes) {
        dropped += 1
        return
      }
      const line = `${JSON.stringify(dropped === 0 ? recordOf(exchange) : { ...recordOf(exchange), dropped })}\n`
      dropped = 0
      lines.push(line)
      size += line.length
      if (timer === null) timer = setTimeout(flush, intervalMs).unref()
    },
  }
}

function recordOf({ request, response, entry, path, client, startedAt }: Exchange) {
  return {
    at: new Date().toISOString(),
    client,
    host: entry.hostname,
    environment_id: entry.environmentId,
    method: request.method,
    path: path.replace(/\?.*$/s, '').slice(0, 2_000),
    status: response.headersSent ? response.statusCode : 0,
    ms: Math.round((performance.now() - startedAt) * 10) / 10,
  }
}

function append(path: string, text: string): void {
  let file = openSync(path, 'a', 0o600)
  try {
    if (fstatSync(file).size > maxFileBytes) {
      closeSync(file)
      renameSync(path, `${path}.1`)
      file = openSync(path, 'a', 0o600)
    }
    writeSync(file, text)
  } finally {
    closeSync(file)
  }
}
