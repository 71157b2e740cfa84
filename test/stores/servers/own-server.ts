import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../support/apps/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { type Command, isRoot, launch, nobody, type Program } from './program.ts'
import type { TestServer } from './test-server.ts'

/** How to run a temporary server. */
export interface Recipe {
  readonly name: string
  /** Whether the data folder may be in memory, for small data. Some servers flush the disk at each write. */
  readonly isSmall?: boolean
  /** Initializes the empty data folder. */
  readonly prepare?: (folder: string) => Promise<void>
  readonly command: (folder: string, port: number) => Command
  readonly url: (port: number) => string
  /** Returns the version once the server answers, undefined before. `output` returns the printed text. */
  readonly ask: (url: string, output: () => string) => Promise<string | undefined>
  /** The signal that shuts the server down in order and closes open connections. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT'
}

const startWithinMs = 90_000

/** Runs a server in a temporary folder. Throws its output if it does not answer. */
export async function runServer(recipe: Recipe): Promise<TestServer> {
  const folder = mkdtempSync(join(placeFor(recipe), `strata-server-${process.pid}-`))
  if (isRoot()) chownSync(folder, nobody, nobody)
  const port = await freePort()
  const url = recipe.url(port)
  let program: Program | undefined

  const clear = () => {
    program?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const start = async () => {
    program = launch(recipe.command(folder, port))
    return answering(recipe, url, program)
  }
  const end = async (signal: NodeJS.Signals) => {
    program?.kill(signal)
    // A suspended server receives the signal after SIGCONT.
    program?.kill('SIGCONT')
    await program?.ended
  }
  const stop = async () => {
    process.off('exit', clear)
    await end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }

  process.once('exit', clear)
  try {
    await recipe.prepare?.(folder)
    const version = await start()
    return {
      url,
      name: recipe.name,
      version,
      stop,
      async kill(signal) {
        if (signal === 'SIGSTOP' || signal === 'SIGCONT') program?.kill(signal)
        else await end(signal)
      },
      async restart() {
        await end(recipe.stopSignal)
        await start()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An in-memory file system, if one exists. */
const memory = '/dev/shm'

function placeFor({ isSmall }: Recipe): string {
  return isSmall && existsSync(memory) ? memory : tmpdir()
}

async function answering(recipe: Recipe, url: string, program: Program): Promise<string> {
  let version: string | undefined
  await eventually(async () => {
    version = await recipe.ask(url, program.output)
    return version !== undefined || program.hasEnded()
  }, startWithinMs)
  if (version === undefined || program.hasEnded()) {
    throw new Error(`${recipe.name} did not start: ${program.output()}`)
  }
  return version
}
