import { strictEqual } from 'node:assert'
import { Agent, request } from 'node:http'

export interface RequestOptions {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly text: string
  /** Milliseconds from the call to the last byte. */
  readonly ms: number
}

const agent = new Agent({ keepAlive: true, noDelay: true })
const timeoutMs = 120_000

/** Sends one request to 127.0.0.1 over a keep-alive connection. */
export function ask(port: number, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = options
    const askedAt = performance.now()
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const ms = performance.now() - askedAt
        const { statusCode: status = 0 } = response
        resolve({ status, etag: response.headers.etag, text: Buffer.concat(chunks).toString(), ms })
      })
    })
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`${method} ${path}: no response`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Like `ask`, but throws with the whole response if its status is not `expect`. */
export async function mustAsk(
  port: number,
  expect: number,
  options: RequestOptions,
): Promise<Answer> {
  const answer = await ask(port, options)
  const { method = 'GET', path } = options
  strictEqual(answer.status, expect, `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}
