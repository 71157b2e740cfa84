import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openStore } from './store.js'

test('openStore reports a server that closes each connection as starting, without the password', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opening = openStore(`http://clerk:secret@127.0.0.1:${port}/app`)
  await expect(opening).rejects.toMatchObject({ name: 'StoreError', isStarting: true })
  await expect(opening).rejects.not.toThrow(/secret/)
  server.close()
})
