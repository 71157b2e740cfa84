import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { selfSigned, type TestCertificate } from '../../test/support/daemon/tls/self-signed.ts'
import { createCertificateFiles } from './certificate-files.ts'

let folder: string
let warnings: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-certificates-'))
  warnings = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const create = (path = folder) =>
  createCertificateFiles({
    folder: path,
    logger: { warn: (_fields, message) => void warnings.push(message) },
  })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
function writePair({ cert, key }: TestCertificate, certName: string, keyName: string) {
  write(certName, cert)
  write(keyName, key)
}

test('pairs of a folder are read with the names of their certificates', async () => {
  writePair(await selfSigned('*.apps.example.test'), 'wildcard.crt', 'wildcard.key')
  writePair(await selfSigned('shop.example.test'), 'fullchain.pem', 'privkey.pem')
  writePair(await selfSigned('other.example.test'), 'other.pem', 'other.key')
  write('readme.txt', 'no certificate')
  write('lonely.crt', 'no key beside it')
  const files = create()
  expect(await files.refresh()).toBe(true)
  expect(files.list().flatMap(({ hostnames }) => hostnames)).toEqual([
    'shop.example.test',
    'other.example.test',
    '*.apps.example.test',
  ])
  expect(JSON.stringify(files.list())).not.toContain('PRIVATE KEY')
  expect(warnings).toEqual([])
  expect(await files.refresh()).toBe(false)
})

test('a changed pair is read again, and a half-written one keeps the previous certificate', async () => {
  const first = await selfSigned('shop.example.test')
  const second = await selfSigned('shop.example.test')
  writePair(first, 'shop.crt', 'shop.key')
  const files = create()
  await files.refresh()
  write('shop.crt', `${second.cert}\n`)
  expect(await files.refresh()).toBe(false)
  expect(files.list().map(({ cert }) => cert)).toEqual([first.cert])
  expect(warnings).toHaveLength(1)
  write('shop.key', `${second.key}\n`)
  expect(await files.refresh()).toBe(true)
  expect(files.list()[0]?.cert.trim()).toBe(second.cert.trim())
})

test('a removed pair and a removed folder leave no certificate', async () => {
  writePair(await selfSigned('shop.example.test'), 'shop.crt', 'shop.key')
  const files = create()
  await files.refresh()
  rmSync(join(folder, 'shop.key'))
  expect(await files.refresh()).toBe(true)
  expect(files.list()).toEqual([])
  const none = create(join(folder, 'absent'))
  expect(await none.refresh()).toBe(false)
  expect(warnings).toEqual(["can't read the folder of SERVICE_GATEWAY_TLS_FILES"])
})
