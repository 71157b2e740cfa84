import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { forwardSignals } from '../pass-signals.ts'
import { type Inspection, type InspectionReply, inspectionReply } from './worker/messages.ts'

/** The file is built beside the chunk that contains this function. */
const program = fileURLToPath(new URL('strata-inspect-worker.cjs', pathToFileURL(__filename)))

/** The time to start the process and to connect, beside the time for the answers. */
const startMs = 15_000

/** Starts a process that reads the store with the drivers of the project, and returns its reply. Kills a silent one. */
export function askStore(inspection: Inspection): Promise<InspectionReply> {
  const tsx = tsxOf(inspection.root)
  if (tsx === undefined)
    return Promise.resolve({
      kind: 'failed',
      reason: 'the packages of the project are not installed (npm install)',
    })
  const child = fork(program, [], {
    cwd: inspection.root,
    execArgv: ['--import', pathToFileURL(tsx).href],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  forwardSignals(child)
  return new Promise((resolve) => {
    const end = (reply: InspectionReply) => {
      clearTimeout(timer)
      resolve(reply)
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      end({ kind: 'failed', reason: `no answer after ${(startMs + inspection.limitMs) / 1_000} s` })
    }, startMs + inspection.limitMs)
    child.once('message', (message) => {
      const reply = inspectionReply.safeParse(message)
      end(reply.success ? reply.data : { kind: 'failed', reason: 'its answer is unreadable' })
    })
    child.once('error', (error) => end({ kind: 'failed', reason: error.message }))
    child.once('close', () => end({ kind: 'failed', reason: 'its process ended' }))
    child.send(inspection, () => {})
  })
}

function tsxOf(root: string): string | undefined {
  try {
    return createRequire(join(root, 'package.json')).resolve('tsx')
  } catch {
    return undefined
  }
}
