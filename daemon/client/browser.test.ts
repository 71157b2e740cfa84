import { describe, expect, test } from 'vitest'
import { chunksOf, createBrowserClient } from './browser.ts'
import { ConnectionError, ResponseError } from './errors.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

/** Creates a client whose requests are answered by `answer`. */
function clientOf(answer: (sent: Sent) => Response | Promise<Response>, token?: string) {
  const sent: Sent[] = []
  const refused: (string | undefined)[] = []
  const client = createBrowserClient({
    token: () => token,
    onRefused: (given) => refused.push(given),
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init })
      return answer({ url: String(url), init })
    },
  })
  return { client, sent, refused }
}

const ok = () => Response.json({ status: 'ok', version: '1' })

describe('the client of the browser', () => {
  test('sends path, query and token, and no cookie', async () => {
    const { client, sent } = clientOf(ok, 'secret')
    const query = { purge_data: true }
    await client.call('destroyEnvironment', { params: { id: 3 }, query })
    expect(sent[0]?.url).toBe('/api/v1/environments/3?purge_data=true')
    expect(sent[0]?.init).toMatchObject({
      method: 'DELETE',
      credentials: 'omit',
      headers: { authorization: 'Bearer secret' },
    })
  })

  test('escapes path parameters', async () => {
    const { client, sent } = clientOf(ok)
    await client.call('removeGlobalSecret', { params: { name: '../x?y' } })
    expect(sent[0]?.url).toBe('/api/v1/secrets/..%2Fx%3Fy')
  })

  test('throws the sentence of an error response with its request id', async () => {
    const headers = { 'x-request-id': 'r-7', 'retry-after': '3' }
    const { client, refused } = clientOf(() =>
      Response.json({ error: 'too many requests' }, { status: 429, headers }),
    )
    const error = await client.call('readHealth').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ResponseError)
    expect(error).toMatchObject({ status: 429, requestId: 'r-7', retryAfter: '3' })
    expect(refused).toEqual([])
  })

  test('reports the token that the daemon refused', async () => {
    const { client, refused } = clientOf(
      () => Response.json({ error: 'unknown, expired or revoked token' }, { status: 401 }),
      'old',
    )
    await expect(client.call('listProjects')).rejects.toBeInstanceOf(ResponseError)
    expect(refused).toEqual(['old'])
  })

  test('says that a server is not a stratad if its answer is not JSON', async () => {
    const page = () => new Response('<h1>a proxy</h1>', { status: 502 })
    await expect(clientOf(page).client.call('readHealth')).rejects.toThrow(
      'the server answered 502, but is not a stratad',
    )
    const text = () => new Response('hello')
    await expect(clientOf(text).client.call('readHealth')).rejects.toBeInstanceOf(ConnectionError)
  })

  test('throws a connection error without an answer, and the reason of an abort', async () => {
    const { client } = clientOf(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(client.call('readHealth')).rejects.toThrow('the daemon does not answer')
    const reason = new Error('the room has closed')
    const signal = AbortSignal.abort(reason)
    await expect(client.call('readHealth', {}, { signal })).rejects.toBe(reason)
  })

  test('gives up after the time limit', async () => {
    const { client } = clientOf(
      ({ init }) =>
        new Promise((_, reject) => {
          init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
        }),
    )
    await expect(client.call('readHealth', {}, { timeoutMs: 5 })).rejects.toThrow(
      'no response for 0.005 s',
    )
  })

  test('hands out the chunks of a stream, and cancels it if the reader stops', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('x')),
      cancel: () => {
        isCancelled = true
      },
    })
    const { client } = clientOf(() => new Response(body))
    for await (const chunk of chunksOf(await client.open('followLogs', { params: { id: 1 } }))) {
      expect(chunk.length).toBe(1)
      break
    }
    expect(isCancelled).toBe(true)
  })
})
