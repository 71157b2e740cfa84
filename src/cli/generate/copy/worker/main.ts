import { openDocuments } from './documents.ts'
import type { WorkerCall, WorkerSettings } from './messages.ts'
import type { OpenedStore } from './opened-store.ts'
import { openRelational } from './relational.ts'

/**
 * The process that reads or writes one store with the code and the drivers of a project. It runs in the project's folder,
 * under tsx, and answers calls over Node's channel to the process that started it.
 */
let opened: OpenedStore | undefined

process.on('message', (call: WorkerCall) => {
  answer(call).then(
    (result) => process.send?.({ id: call.id, result: result ?? null }),
    (error: unknown) => process.send?.({ id: call.id, error: textOf(error) }),
  )
})
// The process that started this one has ended, or was killed.
process.on('disconnect', () => process.exit(1))

/** The parent sends one call at a time, and checks the arguments with the types of `CopyStore`. */
async function answer({ name, args }: WorkerCall): Promise<unknown> {
  if (name === 'open') {
    opened = await openStore(args[0] as WorkerSettings)
    return null
  }
  if (!opened) throw new Error('the store is not open')
  const functions: Record<string, (...args: never[]) => Promise<unknown>> = { ...opened }
  return functions[name]?.(...(args as never[]))
}

function openStore(settings: WorkerSettings): Promise<OpenedStore> {
  switch (settings.kind) {
    case 'sqlite':
    case 'postgres':
    case 'mysql':
    case 'sqlserver':
      return openRelational(settings)
    default:
      return openDocuments(settings)
  }
}

/** Joins the messages of an error and its causes. Prisma's messages begin with lines of code, and end with the reason. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const lines = error.message.split('\n').filter((line) => line.trim() !== '')
  const message = lines.at(-1)?.trim() ?? error.name
  if (!(error.cause instanceof Error)) return message
  const reason = textOf(error.cause)
  return message.includes(reason) ? message : `${message}: ${reason}`
}
