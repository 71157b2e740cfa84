import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGit } from './git.ts'
import { addressesOf, pinConfig } from './remote-addresses.ts'

const url = 'https://git.example.com/team/shop.git'

describe('the host of a remote', () => {
  test.each([
    '169.254.169.254',
    '169.254.7.7',
    'fe80::1',
    'fe80::1%eth0',
    '::ffff:169.254.169.254',
    '0.0.0.0',
  ])('is refused if its name resolves to %s', async (address) => {
    const resolving = addressesOf(url, async () => ['203.0.113.7', address])
    await expect(resolving).rejects.toMatchObject({
      kind: 'bad-request',
      message: expect.stringContaining(`git.example.com resolves to ${address}`),
    })
  })

  test('is kept at its checked addresses for https, so that a second answer of the name server is not used', () => {
    expect(pinConfig(url, ['203.0.113.7', '2001:db8::7'])).toEqual([
      ['http.curloptResolve', 'git.example.com:443:203.0.113.7,[2001:db8::7]'],
    ])
    expect(pinConfig('ssh://git@git.example.com/team/shop.git', ['203.0.113.7'])).toEqual([])
  })

  test('passes as an unknown name, as an address and as this machine', async () => {
    const unknown = () => Promise.reject(new Error('ENOTFOUND'))
    expect(await addressesOf(url, unknown)).toEqual([])
    expect(await addressesOf('https://203.0.113.7/shop.git', unknown)).toEqual([])
    expect(await addressesOf('http://localhost:1/shop.git', unknown)).toEqual([])
  })
})

describe('a fetch', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'strata-git-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return path
  }
  const source = (repoUrl: string) => ({ repoDir: null, repoUrl, context: '', token: null })

  test('from a name that resolves to a link-local address fails before git connects', async () => {
    const git = createGit({
      ...{ folder: folder(), timeoutMs: 20_000, env: { PATH: process.env.PATH } },
      resolve: async () => ['169.254.169.254'],
    })
    const fetched = git.fetch(source(url), AbortSignal.timeout(20_000))
    await expect(fetched).rejects.toMatchObject({ kind: 'unprocessable' })
  })

  test('connects to the checked address, whatever the system resolves the name to', async () => {
    const host = createServer()
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void host.close())
    const { port } = host.address() as AddressInfo
    // The system can't resolve this name. https fails at the handshake, but reaches the port.
    const reached = new Promise((resolve) => host.once('connection', resolve))
    const git = createGit({
      ...{ folder: folder(), timeoutMs: 20_000, env: { PATH: process.env.PATH } },
      resolve: async () => ['127.0.0.1'],
    })
    const name = `https://unknown.invalid:${port}/team/shop.git`
    await expect(git.fetch(source(name), AbortSignal.timeout(20_000))).rejects.toThrow()
    await reached
  })
})
