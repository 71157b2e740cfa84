import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as z from 'zod/mini'
import { forwardSignals } from '../generate/pass-signals.ts'
import { type Outcome, outcomeOf, passed } from './outcome.ts'
import { npm } from './run-npm.ts'
import { failureOf } from './tool-checks.ts'

const startTimeoutMs = 60_000
const stopTimeoutMs = 15_000
const recorder = fileURLToPath(new URL('strata-route-recorder.cjs', pathToFileURL(__filename)))
const recorded = z.object({ served: z.array(z.string()) })

export interface BootResult {
  readonly outcome: Outcome
  /** The parsed `/openapi.json`, null if it is not JSON; absent if the app did not start. */
  readonly openapi?: unknown
  /** The routes of the app's Express routers, such as `GET /api/v1/posts/{id}`. */
  readonly served: readonly string[]
}

/** Builds the app, starts it with the given store and upload folder, requests its health and OpenAPI document, and stops it. */
export async function boot(root: string, databaseUrl: string, folder: string): Promise<BootResult> {
  const built = await npm(root, ['run', '--silent', 'build'])
  if (!built.isSuccess) return { outcome: failureOf(built.output), served: [] }
  const port = await freePort()
  const child = spawn(process.execPath, ['--require', recorder, 'scripts/start.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      UPLOAD_DIR: join(folder, 'uploads'),
      JWT_SECRET: randomBytes(32).toString('base64url'),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let served: readonly string[] = []
  child.on('message', (message) => {
    const read = recorded.safeParse(message)
    if (read.success) served = read.data.served
  })
  forwardSignals(child)
  const output = captureLines(child)
  try {
    const origin = `http://127.0.0.1:${port}`
    if (!(await waitUntilHealthy(child, `${origin}/health`))) {
      return { outcome: outcomeOf(['GET /health does not answer 200', ...output()]), served }
    }
    const openapi = await readOpenApi(`${origin}/openapi.json`)
    const exit = await stopApp(child)
    if (exit === 0) return { outcome: passed, openapi, served }
    const fault =
      exit === undefined
        ? `the app still runs ${stopTimeoutMs / 1000} s after SIGTERM`
        : `the app exited with ${exit} after SIGTERM`
    return { outcome: outcomeOf([fault, ...output()]), openapi, served }
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the parsed document, or null for a text that is not JSON: no OpenAPI document is null. */
async function readOpenApi(url: string): Promise<unknown> {
  const text = await (await fetch(url)).text()
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function waitUntilHealthy(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = Date.now() + startTimeoutMs
  while (child.exitCode === null && Date.now() < deadline) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === 200) return true
    await sleep(50)
  }
  return false
}

/** Sends SIGTERM. Returns the exit code or the signal that ended the app, or undefined if the app keeps running. */
async function stopApp(child: ChildProcess): Promise<number | string | undefined> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await Promise.race([closed, sleep(stopTimeoutMs, undefined, { ref: false })])
  return child.exitCode ?? child.signalCode ?? undefined
}

function captureLines(child: ChildProcess): () => readonly string[] {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text = `${text}${more}`.slice(-4_000)
    })
  }
  return () => text.trimEnd().split('\n')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
