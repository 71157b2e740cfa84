import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { commandBody } from '../../api/commands.ts'
import { durationMs } from '../../domain/duration.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, OneOffEnd } from '../../ports.ts'
import { checkBodyHeaders, jsonLimitBytes, parseJson } from '../body.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { parse } from '../parse.ts'

type Names = 'runCommand'

const maxBodyBytes = Number.POSITIVE_INFINITY
/** Maximum time to receive the first line of the body. */
const headMs = 30_000
const keepAliveMs = 15_000
const media = ['application/json', 'application/vnd.strata.command']

/** Runs commands beside apps. The body is a line of JSON, followed by the standard input of the command. */
export function commandHandlers({
  useCases: { commands },
  clock,
  streams,
}: HandlerDeps): Pick<Handlers, Names> {
  return {
    async runCommand({ params, actor, req, res }) {
      requireMedia(req)
      const { head, rest } = await readHead(req, clock)
      const { command, timeout } = parse(commandBody, parseJson(head))
      const signal = streams.open(actor.principal, res)
      const sender = createSender(res, clock)
      try {
        const end = await commands.run(
          params.id,
          {
            command,
            timeoutMs: durationMs(timeout) ?? 0,
            input: rest,
            signal,
            onStart: sender.start,
            output: (chunk, stream) =>
              sender.send({ stream, data: Buffer.from(chunk).toString('base64') }),
          },
          actor,
        )
        await sender.send({ exit: exitOf(end) })
      } catch (error) {
        if (!res.headersSent) throw error
        const isKnown = error instanceof DaemonError && error.kind !== 'internal'
        await sender.send({ error: isKnown ? error.message : 'internal error' })
        if (!isKnown) throw error
      } finally {
        sender.end()
        rest.destroy()
      }
      return alreadySent
    },
  }
}

/** Codes of a shell for a command that did not exit by itself. */
function exitOf(end: OneOffEnd) {
  switch (end.kind) {
    case 'exited':
      return { code: end.code, reason: null }
    case 'killed':
      return {
        code: 128 + (signalNumbers[end.signal] ?? 0),
        reason: `it was ended by ${end.signal}`,
      }
    case 'out-of-memory':
      return { code: 137, reason: `it ran out of memory: limit ${end.limitMb} MB` }
    case 'timed-out':
      return { code: 124, reason: 'it was ended at its time limit' }
    case 'aborted':
      return { code: 143, reason: 'it was ended, because the daemon stops or the branch has ended' }
  }
}

const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGABRT: 6,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
}

/** A form of another site can't send these types: the browser asks the daemon first, which refuses. */
function requireMedia(req: IncomingMessage): void {
  checkBodyHeaders(req, maxBodyBytes)
  const [type = ''] = (req.headers['content-type'] ?? '').split(';')
  if (media.includes(type.trim().toLowerCase())) return
  throw new DaemonError('bad-request', `the Content-Type must be ${media.join(' or ')}`)
}

/** Reads the first line. `rest` yields the bytes behind it, with back-pressure. */
async function readHead(
  req: IncomingMessage,
  clock: Clock,
): Promise<{ head: Buffer; rest: Readable }> {
  const chunks = req.iterator({ destroyOnReturn: false })
  const done = new AbortController()
  const late = clock.wait(headMs, done.signal).then(() => {
    throw new DaemonError('bad-request', `the command took longer than ${headMs / 1000} s`)
  })
  late.catch(() => {})
  let text = Buffer.alloc(0)
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), late])
      if (!next.done) text = Buffer.concat([text, next.value])
      const end = text.indexOf('\n')
      if ((end < 0 ? text.length : end) > jsonLimitBytes) {
        throw new DaemonError('too-large', `the command is longer than ${jsonLimitBytes} bytes`)
      }
      if (end < 0 && !next.done) continue
      const head = end < 0 ? text : text.subarray(0, end)
      const first = end < 0 ? Buffer.alloc(0) : text.subarray(end + 1)
      return { head, rest: Readable.from(restOf(first, chunks), { objectMode: false }) }
    }
  } finally {
    done.abort()
  }
}

async function* restOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  for (;;) {
    const next = await chunks.next()
    if (next.done) return
    yield next.value
  }
}

/** Sends lines of JSON, and empty lines while there is no output. */
function createSender(res: ServerResponse, clock: Clock) {
  const over = new AbortController()
  res.once('close', () => over.abort())

  async function keepAlive(): Promise<void> {
    for (;;) {
      const isOver = await clock.wait(keepAliveMs, over.signal).then(
        () => over.signal.aborted,
        () => true,
      )
      if (isOver || res.writableEnded) return
      if (!res.writableNeedDrain) res.write('\n')
    }
  }

  return {
    start() {
      res.writeHead(200, {
        'Content-Type': 'application/x-ndjson; charset=utf-8',
        'X-Accel-Buffering': 'no',
      })
      res.flushHeaders()
      void keepAlive()
    },
    async send(value: object): Promise<void> {
      if (over.signal.aborted || res.write(`${JSON.stringify(value)}\n`)) return
      await once(res, 'drain', { signal: over.signal }).catch(() => {})
    },
    end() {
      over.abort()
      if (res.headersSent) res.end()
    },
  }
}
