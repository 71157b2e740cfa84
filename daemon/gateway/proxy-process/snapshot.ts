import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Route, ServedCertificate } from '../../ports.ts'
import { asRecord, parseJson } from '../json.ts'
import { parseCertificates, parseRoutes } from '../protocol.ts'

/** Returns the routes of a snapshot, or none if the file is missing or damaged: the daemon sends the routes later. */
export function readSnapshot(path: string, log: (message: string) => void): readonly Route[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  const routes = parseRoutes(asRecord(parseJson(text))?.routes)
  if (routes === undefined) log('the route snapshot is damaged: waiting for the daemon')
  return routes ?? []
}

/** Returns the certificates of a file; undefined if it is missing or damaged: the daemon sends them later. */
export function readCertificates(
  path: string,
  log: (message: string) => void,
): readonly ServedCertificate[] | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
  const certificates = parseCertificates(asRecord(parseJson(text))?.certificates)
  if (!certificates) log('the file of certificates is damaged: waiting for the daemon')
  return certificates
}

/** Removes temporary files of gateways that were killed while writing. */
export function removeTemporaryFiles(path: string): void {
  const prefix = `${basename(path)}.`
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(prefix)) rmSync(join(dirname(path), name), { force: true })
  }
}

export interface SnapshotWriter {
  /** Schedules a write. Requests in quick succession share one write. */
  request(): void
  /** Stops all writes, because the next gateway owns the file. */
  stop(): void
}

/** Writes the JSON of `content` to a file that only this user may read. */
export function createSnapshotWriter(
  path: string,
  content: () => object,
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
        await file.writeFile(JSON.stringify(content()))
        await file.datasync()
      } finally {
        await file.close()
      }
      if (!isStopped) await rename(temporary, path)
    } catch (error) {
      log(`can't write ${basename(path)}: ${error}`)
    }
    isWriting = false
    // Writes take at most about a tenth of the time, even with many routes and frequent changes.
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
