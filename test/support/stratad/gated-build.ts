import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../apps/eventually.ts'
import { commandLines } from './command-lines.ts'
import type { Daemon } from './daemon.ts'
import { plainApp } from './plain-app.ts'
import { testEngine, testRuntime } from './test-runtime.ts'

/** `plainApp` with a build that prints `waiting for the gate`, and ends when the test opens the gate. */
export interface GatedBuild {
  readonly files: Readonly<Record<string, string>>
  /** Resolves with true when this many builds have begun, or with false after a timeout. */
  begun(count?: number): Promise<boolean>
  /** Returns the number of builds that run now, as processes of this host. */
  running(): number
  /** Ends running builds and, until the next start of the daemon, later ones. */
  open(): void
  /** Call it when the test is over. */
  close(): void
}

/** `projectId` is that of the project with the build: a build sees only the folders of its project. */
export async function createGatedBuild(
  daemon: Pick<Daemon, 'dataDir'>,
  projectId = 1,
): Promise<GatedBuild> {
  const mark = `gate-${randomUUID()}`
  const gate = testRuntime() === 'docker' ? await openServer() : openFolder(daemon, projectId)
  return {
    files: {
      ...plainApp,
      'build.js': `console.log('waiting for the gate')\n${gate.source}`,
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js', mark] } }),
    },
    begun: (count = 1) => eventually(() => gate.begun() >= count, 40_000),
    running: () =>
      commandLines().filter((line) => line.startsWith('node\0') && line.includes(mark)).length,
    open: gate.open,
    close: gate.close,
  }
}

/** A build of a process creates a file at its start, and waits for another one beside the releases. */
function openFolder({ dataDir }: Pick<Daemon, 'dataDir'>, projectId: number) {
  const releases = join(dataDir, 'releases', String(projectId))
  const seen = new Set<string>()
  return {
    source: `
const { existsSync, writeFileSync } = require('node:fs')
writeFileSync('begun', require('node:crypto').randomUUID())
setInterval(() => existsSync('../go') && process.exit(0), 20)
`,
    begun() {
      const names = existsSync(releases) ? readdirSync(releases) : []
      const files = names.map((name) => join(releases, name, 'begun')).filter(existsSync)
      for (const file of files) seen.add(readFileSync(file, 'utf8'))
      // A file exists before its first byte is written.
      seen.delete('')
      return seen.size
    },
    open() {
      mkdirSync(releases, { recursive: true })
      writeFileSync(join(releases, 'go'), '')
    },
    close() {},
  }
}

/** A build in a container asks a server of the test, at the address of this host on the engine's bridge. */
async function openServer() {
  const { hostAddress } = testEngine()
  const seen = new Set<string>()
  let isOpen = false
  const server = createServer(({ url = '' }, response) => {
    seen.add(url)
    response.writeHead(isOpen ? 200 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, hostAddress, resolve))
  const { port } = server.address() as AddressInfo
  return {
    source: `
const url = 'http://${hostAddress}:${port}/' + require('node:crypto').randomUUID()
setInterval(() => fetch(url).then(({ ok }) => ok && process.exit(0), () => {}), 50)
`,
    begun: () => seen.size,
    open() {
      isOpen = true
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
