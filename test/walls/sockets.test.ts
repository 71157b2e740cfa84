import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cleanUp,
  type Daemon,
  newPlace,
  type Place,
  startDaemon,
} from '../support/stratad/daemon.ts'
import { networkProblem } from '../support/walls/network.ts'

const nobody = 65_534

/** Connects to a unix socket as a user and sends a route. Prints `open` or the error code. */
const attempt = `const [uid, path] = process.argv.slice(1)
process.setgroups([]); process.setgid(Number(uid)); process.setuid(Number(uid))
const socket = require('node:net').connect(path)
socket.on('connect', () => { console.log('open'); process.exit() }).on('error', (e) => console.log(e.code))`

function connectAs(uid: number, path: string): string {
  return execFileSync(process.execPath, ['-e', attempt, String(uid), path], { encoding: 'utf8' })
}

/** Returns the paths of all listening unix sockets of this host, abstract ones with their `@`. */
function socketsBelow(...folders: readonly string[]): string[] {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
  const paths = lines.flatMap((line) => line.trim().split(/\s+/)[7] ?? [])
  return [...new Set(paths.filter((path) => folders.some((folder) => path.includes(folder))))]
}

describe.skipIf(networkProblem !== '')(`sockets of the daemon ${networkProblem}`, () => {
  let place: Place
  let long: Place
  let daemons: Daemon[] = []

  beforeAll(async () => {
    if (networkProblem !== '') return
    const [first, second] = [await newPlace(), await newPlace()]
    const folder = join(mkdtempSync(join(tmpdir(), 'stratad-')), 'x'.repeat(100))
    rmSync(second.dataDir, { recursive: true })
    place = first
    long = { ...second, dataDir: folder }
    // An older daemon may have left folders that other users can enter.
    mkdirSync(join(place.dataDir, 'gateway'))
    for (const open of [place.dataDir, join(place.dataDir, 'gateway')]) chmodSync(open, 0o755)
    daemons = [await startDaemon({ place }), await startDaemon({ place: long })]
  })
  afterAll(async () => {
    for (const daemon of daemons) await daemon.stop('SIGKILL')
    if (place) cleanUp(place.dataDir)
    if (long) cleanUp(join(long.dataDir, '..'))
  })

  test('refuse every other user, by the mode of the socket and of its folder', () => {
    const folder = join(place.dataDir, 'gateway')
    const path = join(folder, 'gateway.sock')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(connectAs(nobody, path)).toBe('EACCES\n')
    expect(connectAs(0, path)).toBe('open\n')
  })

  test('have a private folder in /run/strata if the data folder has a long path', () => {
    const hash = createHash('sha256').update(join(long.dataDir, 'gateway')).digest('hex')
    const path = join('/run/strata', `strata-${hash.slice(0, 16)}`, 'gateway.sock')
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
    expect(connectAs(0, path)).toBe('open\n')
    expect(connectAs(nobody, path)).toBe('EACCES\n')
  })

  test('are never abstract, because the modes of files do not guard those', () => {
    expect(socketsBelow(place.dataDir, 'strata').filter((path) => path.startsWith('@'))).toEqual([])
  })
})
