import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as z from 'zod'
import type { CopyStore } from '../../../generator/copy/copy-store.ts'
import { StrataError } from '../../../generator/errors.ts'
import { forwardSignals } from '../pass-signals.ts'
import {
  results,
  type WorkerFunction,
  type WorkerSettings,
  workerReply,
} from './worker/messages.ts'

/** A store that another process reads and writes. */
export interface StoreProcess extends CopyStore {
  /** Returns the tables and columns that are not in the model. */
  foreign(): Promise<readonly string[]>
  /** Closes the store and ends the process. */
  close(): Promise<void>
  /** Ends the process at once. */
  stop(): void
}

/**
 * Starts a process that opens the store with the code of the project in `root`. `role` names the store in messages: `the
 * old store`. Throws StrataError 'failure' if the store does not open. Later failures throw it too.
 */
export async function openStoreProcess(
  role: string,
  settings: WorkerSettings,
): Promise<StoreProcess> {
  const child = startWorker(settings.root)
  const call = createCalls(child, role)
  const stop = () => {
    if (child.connected) child.disconnect()
  }
  try {
    await call('open', settings)
  } catch (error) {
    stop()
    throw error
  }
  return {
    read: (...args) => call('read', ...args),
    async write(...args) {
      await call('write', ...args)
    },
    async remove(...args) {
      await call('remove', ...args)
    },
    lastId: (...args) => call('lastId', ...args),
    async raiseLastId(...args) {
      await call('raiseLastId', ...args)
    },
    foreign: () => call('foreign'),
    async close() {
      await call('close')
      stop()
    },
    stop,
  }
}

/** The file is built beside the chunk that contains this function. */
const program = fileURLToPath(new URL('strata-copy-worker.cjs', pathToFileURL(__filename)))

/** Starts Node in the folder of the project, with the project's `tsx`. Its output is kept for error messages. */
function startWorker(root: string): ChildProcess {
  const child = fork(program, [], {
    cwd: root,
    execArgv: ['--import', pathToFileURL(tsxOf(root)).href],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  forwardSignals(child)
  return child
}

function tsxOf(root: string): string {
  try {
    return createRequire(join(root, 'package.json')).resolve('tsx')
  } catch (cause) {
    const message = `the packages of ${root} are not installed: run npm install there, and run again`
    throw new StrataError('failure', message, { cause })
  }
}

/** Returns a function that calls the process and waits for the reply. */
function createCalls(child: ChildProcess, role: string) {
  const pending = new Map<number, (reply: { result: unknown } | { error: string }) => void>()
  let calls = 0
  let output = ''
  let hasEnded = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2_000)
  })
  child.on('message', (message) => {
    const reply = workerReply.parse(message)
    pending.get(reply.id)?.(reply)
    pending.delete(reply.id)
  })
  const end = () => {
    hasEnded = true
    for (const settle of pending.values()) settle({ error: `its process ended: ${output.trim()}` })
    pending.clear()
  }
  child.on('error', end).once('close', end)

  return async <Name extends WorkerFunction>(
    name: Name,
    ...args: readonly unknown[]
  ): Promise<z.infer<(typeof results)[Name]>> => {
    calls += 1
    const id = calls
    const reply = await new Promise<{ result: unknown } | { error: string }>((resolve) => {
      if (hasEnded) return resolve({ error: 'its process has ended' })
      pending.set(id, resolve)
      child.send({ id, name, args })
    })
    if ('error' in reply) throw new StrataError('failure', `${role}: ${reply.error}`)
    // The parser of each function is in the same table as its type.
    return results[name].parse(reply.result) as z.infer<(typeof results)[Name]>
  }
}
