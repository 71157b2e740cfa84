import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { removeContainersOf, runtimeSettings } from './test-runtime.ts'

const stratadProgram = fileURLToPath(new URL('../../../bin/stratad.js', import.meta.url))

export const masterToken = 'the-master-token-of-the-tests'
export const webhookSecret = 'the-webhook-secret-of-the-tests'

export interface Place {
  readonly dataDir: string
  readonly port: number
  readonly gatewayPort: number
}

export interface Daemon extends Place {
  /** Base URL of the API, including `/api/v1`. */
  readonly url: string
  /** Returns the combined standard output and error so far. */
  output(): string
  /** Sends a signal. Resolves with the exit code, or null if the signal killed the daemon. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Resolves when the daemon has ended for any reason. */
  ended(): Promise<void>
  /** Starts a new daemon with the same folder and ports. */
  restart(env?: Readonly<Record<string, string>>): Promise<Daemon>
  readonly process: ChildProcess
}

/** Creates a data folder. `cleanUp` removes it and kills its processes. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'stratad-'))
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly place?: Place | undefined
  /** Arguments of `node`. Default: bin/stratad.js. */
  readonly program?: readonly string[] | undefined
  /** Runs the daemon as this user, with `dataDir` as home folder; needs root. Default: the user of the tests. */
  readonly uid?: number | undefined
}

/** Starts the daemon from its command line and waits until it answers. */
export async function startDaemon(options: StartOptions = {}): Promise<Daemon> {
  const { program, uid } = options
  const env = { ...runtimeSettings(), ...options.env }
  const place = options.place ?? (await newPlace())
  const { dataDir, port, gatewayPort } = place
  const { child, output, exited } = launch(place, env, program, uid)
  const url = `http://127.0.0.1:${port}/api/v1`
  await waitUntilUp(url, child, output)
  return {
    url,
    port,
    gatewayPort,
    dataDir,
    process: child,
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await exited
      return child.exitCode
    },
    async ended() {
      await exited
    },
    restart: (other = {}) => startDaemon({ env: { ...env, ...other }, place, program, uid }),
  }
}

/** Starts a daemon whose start fails. Returns its exit code and its output. */
export async function runUntilExit({
  env = {},
  place,
}: StartOptions = {}): Promise<{ code: number | null; output: string }> {
  const usedPlace = place ?? (await newPlace())
  const { child, output, exited } = launch(usedPlace, { ...runtimeSettings(), ...env })
  await exited
  if (!place) cleanUp(usedPlace.dataDir)
  return { code: child.exitCode, output: output() }
}

/** Returns a new folder and two free ports. */
export async function newPlace(): Promise<Place> {
  return {
    dataDir: temporaryFolder(),
    port: await freePort(),
    gatewayPort: await freePort(),
  }
}

/** To unset a default variable, pass an empty value. */
function launch(
  { dataDir, port, gatewayPort }: Place,
  env: Readonly<Record<string, string>>,
  program: readonly string[] = [stratadProgram],
  uid?: number,
) {
  const child = spawn(process.execPath, program, {
    env: {
      ...process.env,
      ...(uid !== undefined && { HOME: dataDir }),
      // Without root, a daemon hosts one project only.
      ...(process.getuid?.() !== 0 && { SERVICE_TRUST_APPS: '1' }),
      SERVICE_API_TOKEN: masterToken,
      SERVICE_WEBHOOK_SECRET: webhookSecret,
      SERVICE_DATA_DIR: dataDir,
      SERVICE_ADDR: `127.0.0.1:${port}`,
      SERVICE_GATEWAY_ADDR: `127.0.0.1:${gatewayPort}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-1_000_000)
    })
  }
  return { child, output: () => text, exited: once(child, 'exit') }
}

async function waitUntilUp(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`stratad ended with ${child.exitCode ?? child.signalCode}: ${output()}`)
    }
    const up = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (up) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`stratad does not answer: ${output()}`)
}

/** Ends all processes and containers of a data folder, including gateway and apps, and removes the folder. */
export function cleanUp(dataDir: string): void {
  endProcessesOf(dataDir)
  removeContainersOf(dataDir)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

/** Kills all processes of a folder, including gateways and apps. */
export function endProcessesOf(folder: string): void {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
}

/** Returns the pids of processes with the folder's path in their command line, environment or working folder. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      ['cmdline', 'environ', 'cwd'].some((file) => textOf(pid, file).includes(folder)),
    )
    .map(Number)
}

function textOf(pid: string, file: string): string {
  try {
    const path = `/proc/${pid}/${file}`
    return file === 'cwd' ? readlinkSync(path) : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
