import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { masterToken, type Started, start } from '../../test/support/daemon/http/started.ts'
import { DaemonError } from '../errors.ts'

let server: Started
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

const restore = (raw: Uint8Array<ArrayBuffer>) =>
  server.call('POST', '/backup/restore', { raw, headers: { 'content-type': 'application/x-tar' } })

test('a backup is a download', async () => {
  const response = await fetch(`${server.url}/api/v1/backup`, {
    headers: { authorization: `Bearer ${masterToken}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-tar')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="strata-backup.tar"',
  )
  expect((await response.arrayBuffer()).byteLength).toBe(10_240)
})

test('a backup that breaks off does not look whole', async () => {
  const broken = await start()
  broken.useCases.backups.create = async () => ({
    fileName: 'b.tar',
    body: Readable.from(
      (async function* () {
        yield Buffer.alloc(100_000)
        throw new Error('the disk is gone')
      })(),
    ),
  })
  const response = await fetch(`${broken.url}/api/v1/backup`, {
    headers: { authorization: `Bearer ${masterToken}` },
  })
  await expect(response.arrayBuffer()).rejects.toThrow()
  expect(broken.logged.some(({ level }) => level === 'error')).toBe(true)
  await broken.stop()
})

test('a restore is staged from the body as it comes', async () => {
  const { status, json } = await restore(new Uint8Array(300_000))
  expect({ status, json }).toEqual({ status: 202, json: { status: 'staged' } })
  expect(server.changes.at(-1)).toBe('restore: {"size":300000}')
})

test('one past the limit is 413, announced or not', async () => {
  const before = server.changes.length
  const announced = await restore(new Uint8Array(2 ** 20 + 1))
  expect(announced).toMatchObject({ status: 413, json: { error: expect.any(String) } })
  const chunked = await fetch(`${server.url}/api/v1/backup/restore`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterToken}` },
    body: new Blob([new Uint8Array(2 ** 20 + 1)]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(chunked.status).toBe(413)
  expect(server.changes.length).toBe(before)
})

test('what the use-case finds wrong is said, although the body is not read to its end', async () => {
  const picky = await start({ config: { restoreMaxBytes: 2 ** 40 } })
  picky.useCases.backups.stageRestore = async (body) => {
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0)
      throw new DaemonError('bad-request', 'this is no backup')
    }
  }
  const answer = await picky.call('POST', '/backup/restore', { raw: new Uint8Array(5 * 2 ** 20) })
  expect(answer).toMatchObject({ status: 400, json: { error: 'this is no backup' } })
  await picky.stop()
})

test('a sender who hangs up leaves nothing staged', async () => {
  const before = server.changes.length
  let error: unknown
  const own = await start()
  own.useCases.backups.stageRestore = async (body) => {
    try {
      for await (const _ of body);
    } catch (thrown) {
      error = thrown
      throw thrown
    }
  }
  const socket = connect(own.port, '127.0.0.1')
  socket.write(
    `POST /api/v1/backup/restore HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${masterToken}\r\nContent-Length: 9000\r\n\r\nstart`,
  )
  setImmediate(() => socket.end())
  expect(await eventually(() => error !== undefined, 5000)).toBe(true)
  expect(error).toBeInstanceOf(DaemonError)
  expect(server.changes.length).toBe(before)
  socket.destroy()
  await own.stop()
})

test('restoring is off unless it is allowed', async () => {
  const off = await start({ config: { allowRestore: false } })
  const { status, json } = await off.call('POST', '/backup/restore', { raw: new Uint8Array(10) })
  expect(status).toBe(403)
  expect((json as { error: string }).error).toContain('SERVICE_ALLOW_RESTORE')
  await off.stop()
})
