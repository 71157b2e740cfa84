import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/support/free-port.ts'
import { repositoryFolder } from '../harness/folders.ts'
import { type Answer, ask, mustAsk, type RequestOptions } from './ask.ts'
import { clear } from './clear.ts'
import { findByCommand } from './processes.ts'

export const masterToken = 'the-master-token-of-the-benchmark'
export const webhookSecret = 'the-webhook-secret-of-the-benchmark'

/** A running stratad, as built in dist/, with its gateway. */
export interface Stratad {
  readonly port: number
  readonly gatewayPort: number
  readonly pid: number
  readonly gatewayPid: number
  /** Sends a request to the API with the master token. Throws unless the status is `expect`. */
  call(expect: number, request: RequestOptions): Promise<Answer>
  /** Stops the daemon, kills its gateway and its apps, and removes the data folder. */
  stop(): Promise<void>
}

export interface StratadOptions {
  /** The `bin/stratad.js` of a built checkout. Default: this one. */
  readonly executable?: string | undefined
  /** Settings other than the default ones. */
  readonly env?: Readonly<Record<string, string>>
}

const program = join(repositoryFolder, 'bin/stratad.js')
const built = ['stratad.cjs', 'strata-gateway.cjs']
const startTimeoutMs = 30_000
const pollMs = 5

/** Throws if the program is not built. */
export function requireProgram(): void {
  for (const name of built) {
    if (existsSync(join(repositoryFolder, 'dist', name))) continue
    throw new Error(`dist/${name} is missing: run \`npm run build\` first`)
  }
}

/**
 * Starts a daemon with default settings on a data folder. Throws with the end of the log if the start fails.
 */
export async function startStratad(
  dataDir: string,
  { executable = program, env = {} }: StratadOptions = {},
): Promise<Stratad> {
  mkdirSync(dataDir, { recursive: true })
  const [port, gatewayPort] = [await freePort(), await freePort()]
  const logFile = join(dataDir, 'stratad.log')
  // Logs go to a file, as under a service manager: reading a pipe would cost time during the measurement.
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [executable], {
    env: {
      ...withoutSettings(process.env),
      SERVICE_API_TOKEN: masterToken,
      SERVICE_WEBHOOK_SECRET: webhookSecret,
      SERVICE_DATA_DIR: dataDir,
      SERVICE_ADDR: `127.0.0.1:${port}`,
      SERVICE_GATEWAY_ADDR: `127.0.0.1:${gatewayPort}`,
      ...env,
    },
    stdio: ['ignore', log, log],
    // A separate session gets its own share of the processor, like a service.
    detached: true,
  })
  closeSync(log)
  const exited = once(child, 'exit')
  const { pid } = child
  const isUp = () =>
    ask(port, { path: '/api/v1/health' }).then(
      ({ status }) => status === 200,
      () => false,
    )
  for (const until = performance.now() + startTimeoutMs; !(await isUp()); await sleep(pollMs)) {
    if (pid !== undefined && child.exitCode === null && performance.now() < until) continue
    throw new Error(`stratad did not answer:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`)
  }
  const gatewayPid = findByCommand('strata-gateway.cjs', dataDir)
  return {
    port,
    gatewayPort,
    pid: pid ?? Number.NaN,
    gatewayPid,
    call: (expect, { headers, ...request }) =>
      mustAsk(port, expect, {
        ...request,
        headers: { authorization: `Bearer ${masterToken}`, ...headers },
      }),
    async stop() {
      child.kill('SIGTERM')
      await exited
      clear(dataDir)
    },
  }
}

/** Removes the user's settings: they must not affect the measured daemon. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:NODE_OPTIONS|SERVICE_.*)$/.test(name)),
  )
}
