import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Route } from '../../ports.ts'
import { asRecord, parseJson } from '../json.ts'
import { parseRoutes } from '../protocol.ts'

/** The routes of a snapshot; none when there is no file or it can't be read: the daemon will say. */
export function readSnapshot(path: string, log: (message: string) => void): readonly Route[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  const routes = parseRoutes(asRecord(parseJson(text))?.routes)
  if (routes === undefined) log('the snapshot of the routes is damaged: waiting for the daemon')
  return routes ?? []
}

/** Removes what gateways have left that were killed while they wrote. */
export function removeTemporaryFiles(path: string): void {
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(path), name), { force: true })
  }
}

export interface SnapshotWriter {
  /** Writes the routes soon; changes that come at once are one write. */
  request(): void
  /** Nothing is written any more: another gateway has the file. */
  stop(): void
}

export function createSnapshotWriter(
  path: string,
  list: () => readonly Route[],
  log: (message: string) => void,
): SnapshotWriter {
  let pauseMs = 50
  let timer: NodeJS.Timeout | null = null
  let isWriting = false
  let isRequested = false
  let isStopped = false

  function request(): void {
    isRequested = true
    if (timer === null && !isWriting && !isStopped) timer = setTimeout(write, pauseMs)
  }

  async function write(): Promise<void> {
    timer = null
    isWriting = true
    isRequested = false
    const start = performance.now()
    try {
      const temporary = `${path}.${process.pid}`
      const file = await open(temporary, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify({ routes: list() }))
        await file.datasync()
      } finally {
        await file.close()
      }
      if (!isStopped) await rename(temporary, path)
    } catch (error) {
      log(`the snapshot of the routes can't be written: ${error}`)
    }
    isWriting = false
    // Many routes that change all the time must not keep the gateway from its work.
    pauseMs = Math.max(50, 10 * (performance.now() - start))
    if (isRequested) request()
  }

  return {
    request,
    stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
