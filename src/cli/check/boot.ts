import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { passSignalsTo } from '../pass-signals.ts'
import { failedBy, type Outcome, passed } from './outcome.ts'
import { npm } from './run.ts'
import { told } from './tools.ts'

const answersWithinMs = 60_000
const endsWithinMs = 15_000

export interface Booted {
  readonly outcome: Outcome
  /** What `/openapi.json` answered. */
  readonly openapi?: unknown
}

/** Builds the app, starts it on a store and in a folder of its own, asks it and ends it. */
export async function boot(root: string, databaseUrl: string, folder: string): Promise<Booted> {
  const built = await npm(root, ['run', '--silent', 'build'])
  if (!built.isDone) return { outcome: told(built.output) }
  const port = await freePort()
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      UPLOAD_DIR: join(folder, 'uploads'),
      JWT_SECRET: randomBytes(32).toString('base64url'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  passSignalsTo(child)
  const output = linesOf(child)
  try {
    const origin = `http://127.0.0.1:${port}`
    if (!(await answers(child, `${origin}/health`))) {
      return { outcome: failedBy([`GET /health does not answer 200`, ...output()]) }
    }
    const openapi: unknown = await (await fetch(`${origin}/openapi.json`)).json()
    const code = await endOf(child)
    return code === 0
      ? { outcome: passed, openapi }
      : { outcome: failedBy([`SIGTERM ends it with ${code}`, ...output()]), openapi }
  } finally {
    child.kill('SIGKILL')
  }
}

async function answers(child: ChildProcess, url: string): Promise<boolean> {
  const endMs = Date.now() + answersWithinMs
  while (child.exitCode === null && Date.now() < endMs) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    )
    if (status === 200) return true
    await pause(50)
  }
  return false
}

/** Its exit code after SIGTERM, the signal it died of, or that it goes on. */
async function endOf(child: ChildProcess): Promise<number | string> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await Promise.race([closed, pause(endsWithinMs, undefined, { ref: false })])
  return child.exitCode ?? child.signalCode ?? 'nothing'
}

function linesOf(child: ChildProcess): () => readonly string[] {
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
