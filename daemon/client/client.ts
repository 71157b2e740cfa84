import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { InputOf, SuccessOf } from './contract.ts'
import { type EndpointName, endpoints } from './endpoints.ts'
import { AnswerError, NoAnswerError } from './errors.ts'
import { send, type Target, textOf } from './transport.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** For the answer to begin; 30 s. */
  readonly timeoutMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

type Arguments<Name extends EndpointName> =
  Record<string, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, options?: CallOptions]
    : [input: InputOf<Name>, options?: CallOptions]

/** The daemon's API, typed by its contract. */
export interface Client {
  readonly target: Target
  /** Throws AnswerError for an answer that is no success, and NoAnswerError where none came. */
  call<Name extends EndpointName>(name: Name, ...rest: Arguments<Name>): Promise<SuccessOf<Name>>
  /** The same for answers that are no JSON: they are read by the caller, silent for `silenceMs` at most. */
  open(
    name: 'followLogs' | 'createBackup',
    options: CallOptions & {
      readonly params?: Texts
      readonly silenceMs?: number
    },
  ): Promise<IncomingMessage>
  /** Uploads a backup. */
  upload(
    name: 'stageRestore',
    body: Readable,
    options: CallOptions & { readonly bytes: number },
  ): Promise<SuccessOf<'stageRestore'>>
}

type Texts = Readonly<Record<string, string | number | boolean | undefined>>

const answerMs = 30_000

export function createClient(target: Target): Client {
  async function ask(outgoing: Omit<Parameters<typeof send>[1], 'timeoutMs'>, ms = answerMs) {
    const answer = await send(target, { ...outgoing, timeoutMs: ms })
    if (isSuccess(answer)) return answer
    throw refusal(answer, await textOf(answer))
  }

  return {
    target,
    async call(name, ...[input, options = {}]) {
      const { params, query, body } = (input ?? {}) as {
        params?: Texts
        query?: Texts
        body?: unknown
      }
      const answer = await ask(
        {
          ...lineOf(name, params, query),
          signal: options.signal,
          headers: options.headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
        options.timeoutMs,
      )
      return reply(answer)
    },
    open: (name, { params, headers, signal, timeoutMs, silenceMs }) =>
      ask({ ...lineOf(name, params), headers, signal, silenceMs }, timeoutMs),
    async upload(name, body, { bytes, signal, timeoutMs }) {
      const headers = { 'content-type': 'application/x-tar', 'content-length': String(bytes) }
      return reply(await ask({ ...lineOf(name), headers, body, signal }, timeoutMs))
    },
  }
}

/** The contract says what a status comes with; daemon and client are built from one table of it. */
async function reply<Success>(answer: IncomingMessage): Promise<Success> {
  const text = await textOf(answer)
  const status = answer.statusCode
  return { status, ...(text !== '' && { body: parsed(text) }) } as Success
}

function lineOf(name: EndpointName, params: Texts = {}, query: Texts = {}) {
  const [method = '', template = ''] = endpoints[name].split(' ')
  const path = template.replace(/\{(\w+)\}/g, (_, key) => encodeURIComponent(String(params[key])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value))
  }
  return { method, path: search.size === 0 ? path : `${path}?${search}` }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300
}

function refusal(answer: IncomingMessage, text: string): Error {
  const { statusCode: status = 0, headers } = answer
  if (status >= 300 && status < 400) {
    const where = headers.location ?? 'another address'
    return new NoAnswerError(`it leads on to ${where}: use that address`, { isSent: true })
  }
  const body = jsonOf(text)
  if (typeof body?.error === 'string') {
    return new AnswerError(status, body.error, body, headers['retry-after'])
  }
  return new AnswerError(status, `it answered ${status}, and not as a stratad does`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NoAnswerError('what answers there is no stratad, as it sends no JSON', {
      isSent: true,
    })
  }
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>) // Any object is one.
      : undefined
  } catch {
    return undefined
  }
}
