import { Readable } from 'node:stream'
import type { Client } from './client.ts'
import { ConnectionError, connectionLost } from './errors.ts'

/** The end of a command. `reason` explains a command that did not exit by itself. */
export interface CommandExit {
  readonly code: number
  readonly reason: string | null
}

export type CommandEvent =
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly data: Buffer }
  | { readonly kind: 'exit'; readonly exit: CommandExit }

/**
 * Runs a command beside an app, and yields its output and its end. `input` is its standard input. Leaving the loop ends
 * the command. Throws ResponseError if it can't start, ConnectionError if the connection is lost.
 */
export async function* runCommand(
  client: Pick<Client, 'exchange'>,
  {
    environmentId,
    command,
    timeout,
    input,
    signal,
  }: {
    environmentId: number
    command: readonly string[]
    timeout: string | undefined
    input: AsyncIterable<Uint8Array> | undefined
    signal: AbortSignal
  },
): AsyncGenerator<CommandEvent, void> {
  const head = JSON.stringify({ command, timeout })
  const body = Readable.from(bodyOf(head, input), { objectMode: false })
  const response = await client.exchange('runCommand', body, {
    params: { id: environmentId },
    headers: { 'content-type': 'application/vnd.strata.command' },
    timeoutMs: startTimeoutMs,
    signal,
  })
  try {
    for await (const line of linesOf(response)) {
      const event = eventOf(line)
      yield event
      if (event.kind === 'exit') return
    }
  } catch (error) {
    if (signal.aborted || error instanceof ConnectionError) throw error
    throw connectionLost(error)
  } finally {
    response.destroy()
    body.destroy()
  }
  throw new ConnectionError('the connection ended before the command', { isSent: true })
}

/** Time for the daemon to start a program. */
const startTimeoutMs = 120_000
/** A line holds one chunk of output. */
const maxLineLength = 16 * 2 ** 20

async function* bodyOf(head: string, input: AsyncIterable<Uint8Array> | undefined) {
  yield Buffer.from(`${head}\n`)
  if (input) yield* input
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    rest += chunk.toString('latin1')
    if (rest.length > maxLineLength) throw new Error('a line of the response is too long')
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield Buffer.from(line, 'latin1').toString()
  }
}

function eventOf(line: string): CommandEvent {
  // The cast trusts the daemon to send lines of this type.
  const value = JSON.parse(line) as {
    stream?: 'stdout' | 'stderr'
    data?: string
    exit?: CommandExit
    error?: string
  }
  if (value.exit) return { kind: 'exit', exit: value.exit }
  if (value.error !== undefined) throw new ConnectionError(value.error, { isSent: true })
  const { stream = 'stdout', data = '' } = value
  return { kind: 'output', stream, data: Buffer.from(data, 'base64') }
}
