import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createClient } from '../../src/infra/client.js'

/** Retries as often as in production, without pauses. */
export const retryOptions = { retries: 5, maxFirstPauseMs: 0 }

/** Starts a service that returns these answers one after another, and repeats the last one. */
export async function serve(...answers: readonly object[]) {
  const requests: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? {}
    requests.push(JSON.parse(Buffer.concat(chunks).toString()))
    reply(response, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const endpoint = `http://127.0.0.1:${port}`
  const client = createClient({ region: 'us-east-1', endpoint, credentials }, retryOptions)
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  return { client, requests, table: 'app' }
}

function reply(response: ServerResponse, answer: object) {
  response.writeHead('__type' in answer ? 400 : 200, {
    'content-type': 'application/x-amz-json-1.0',
  })
  response.end(JSON.stringify(answer))
}
