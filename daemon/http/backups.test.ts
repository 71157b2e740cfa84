import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import {
  masterToken,
  startServer,
  type TestServer,
} from '../../test/support/daemon/http/test-server.ts'
import { DaemonError } from '../errors.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const restore = (raw: Uint8Array<ArrayBuffer>) =>
  server.call('POST', '/backup/restore', { raw, headers: { 'content-type': 'application/x-tar' } })

test('GET /backup downloads a tar that POST /backup/restore stages', async () => {
  const response = await fetch(`${server.url}/api/v1/backup`, {
    headers: { authorization: `Bearer ${masterToken}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-tar')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="strata-backup-2026-01-01T00-00-00-000Z.tar"',
  )
  const { status, json } = await restore(new Uint8Array(await response.arrayBuffer()))
  expect({ status, json }).toEqual({ status: 202, json: { status: 'staged' } })
  expect(server.changes().at(-1)?.name).toBe('backups.stageRestore')
})

test('a backup that fails midway truncates the response', async () => {
  const broken = await startServer()
  broken.archives.create = async () => ({
    fileName: 'b.tar',
    skipped: () => 0,
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

test('a restore forwards every byte of the body', async () => {
  const counting = await startServer()
  let size = 0
  counting.archives.stage = async (body) => {
    for await (const chunk of body) size += chunk.length
    return { createdAt: 0, hasData: false }
  }
  const raw = new Uint8Array(300_000)
  const { status, json } = await counting.call('POST', '/backup/restore', { raw })
  expect({ status, json }).toEqual({ status: 202, json: { status: 'staged' } })
  expect(size).toBe(300_000)
  await counting.stop()
})

test('a restore larger than the limit answers 413, with or without Content-Length', async () => {
  const { dataDir } = server.rig
  const staged = () => readdirSync(join(dataDir, 'restore'))
  const before = staged()
  const announced = await restore(new Uint8Array(2 ** 20 + 1))
  expect(announced).toMatchObject({ status: 413, json: { error: expect.any(String) } })
  const chunked = await fetch(`${server.url}/api/v1/backup/restore`, {
    method: 'POST',
    headers: { authorization: `Bearer ${masterToken}` },
    body: new Blob([new Uint8Array(2 ** 20 + 1)]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(chunked.status).toBe(413)
  expect(staged()).toEqual(before)
})

test('a restore that is refused early answers with the reason', async () => {
  const picky = await startServer({ config: { restoreMaxBytes: 2 ** 40 } })
  picky.archives.stage = async (body) => {
    for await (const chunk of body) {
      expect(chunk.length).toBeGreaterThan(0)
      throw new DaemonError('bad-request', 'this is no backup')
    }
    throw new Error('the body was empty')
  }
  const response = await picky.call('POST', '/backup/restore', { raw: new Uint8Array(5 * 2 ** 20) })
  expect(response).toMatchObject({ status: 400, json: { error: 'this is no backup' } })
  await picky.stop()
})

test('a restore fails if its sender hangs up', async () => {
  let error: unknown
  const own = await startServer()
  own.archives.stage = async (body) => {
    try {
      for await (const _ of body);
      throw new Error('the body came to its end')
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
  expect(await own.rig.store.audit.list({ kind: 'restore_staged', limit: 1 })).toEqual([])
  socket.destroy()
  await own.stop()
})

test('restoring answers 403 unless SERVICE_ALLOW_RESTORE is set', async () => {
  const off = await startServer({ config: { allowRestore: false } })
  const { status, json } = await off.call('POST', '/backup/restore', { raw: new Uint8Array(10) })
  expect(status).toBe(403)
  expect((json as { error: string }).error).toContain('SERVICE_ALLOW_RESTORE')
  await off.stop()
})
