import { strictEqual } from 'node:assert'
import { Agent, request } from 'node:http'

export interface Question {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly etag: string | undefined
  readonly text: string
  /** From the call to the last byte. */
  readonly ms: number
}

const agent = new Agent({ keepAlive: true, noDelay: true })
const longestMs = 120_000

/** One request to 127.0.0.1, over a connection that is kept. */
export function ask(port: number, question: Question): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = question
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
    sent.setTimeout(longestMs, () => sent.destroy(new Error(`${method} ${path}: no answer`)))
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The same, and throws with the whole answer when its status is another than `expect`. */
export async function mustAsk(port: number, expect: number, question: Question): Promise<Answer> {
  const answer = await ask(port, question)
  const { method = 'GET', path } = question
  strictEqual(answer.status, expect, `${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}
