import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filledStore, tempFolder } from '../../test/support/daemon/store/temp-store.ts'
import type { Sealed } from '../domain/records.ts'
import { redacted } from '../domain/redacted.ts'
import { createVault } from './vault.ts'

const key = redacted('0123456789abcdef'.repeat(4))

describe('a sealed value', () => {
  test('decrypts to its original text', async () => {
    const vault = await createVault({ key })
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(vault.open(vault.seal(redacted(text))).reveal()).toBe(text)
      }),
    )
  })

  test('names its format and key, hides its text and differs each time', async () => {
    const vault = await createVault({ key })
    const sealed = vault.seal(redacted('a secret'))
    expect(sealed).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]{16}\.[\w-]+$/)
    expect(sealed.split('.')[1]).toBe(vault.keyId())
    expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString()).not.toContain('secret')
    expect(vault.seal(redacted('a secret'))).not.toBe(sealed)
    expect(`${vault.open(sealed)}`).toBe('[redacted]')
  })

  test('cannot be decrypted after any change, or with another key', async () => {
    const vault = await createVault({ key })
    const sealed = vault.seal(redacted('a secret'))
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'E' : 'A'}${sealed.slice(at + 1)}`
      expect(() => vault.open(changed as Sealed)).toThrow(/cannot be decrypted/)
    }
    for (const wrong of ['', 'v1', 'v1.a.b.c', sealed.slice(0, -8), `${sealed}.x`]) {
      expect(() => vault.open(wrong as Sealed)).toThrow(/cannot be decrypted/)
    }
    const other = await createVault({ key: redacted('f'.repeat(64)) })
    expect(() => other.open(sealed)).toThrow(/cannot be decrypted/)
  })
})

describe('the key file', () => {
  test('is created with mode 0600 if missing, and reused', async () => {
    const keyFile = join(tempFolder(), 'master.key')
    const sealed = (await createVault({ keyFile })).seal(redacted('x'))
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(keyFile, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
    expect((await createVault({ keyFile })).open(sealed).reveal()).toBe('x')
  })

  test('that other users can read gets mode 0600, with a warning', async () => {
    const keyFile = join(tempFolder(), 'master.key')
    await createVault({ keyFile })
    chmodSync(keyFile, 0o644)
    const warnings: string[] = []
    await createVault({ keyFile }, { warn: (message) => warnings.push(message) })
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(warnings.join()).toMatch(/changed its mode to 0600/)
  })

  test.each([
    ['empty', ''],
    ['too short', 'abc'],
    ['too long', 'a'.repeat(65)],
    ['not hexadecimal', 'g'.repeat(64)],
  ])('that is %s is refused and not replaced', async (_, content) => {
    const keyFile = join(tempFolder(), 'master.key')
    writeFileSync(keyFile, content, { mode: 0o600 })
    await expect(createVault({ keyFile })).rejects.toThrow(/64 hexadecimal digits/)
    expect(readFileSync(keyFile, 'utf8')).toBe(content)
  })

  test('that cannot be read is refused', async () => {
    const keyFile = join(tempFolder(), 'master.key')
    mkdirSync(keyFile, { mode: 0o700 })
    await expect(createVault({ keyFile })).rejects.toThrow(/cannot be read \(EISDIR\)/)
  })
})

describe('the master key of a database', () => {
  test('is recorded in the database and required at the next start', async () => {
    const store = await filledStore()
    const keyFile = join(tempFolder(), 'master.key')
    const vault = await createVault({ keyFile }, { sealed: store.sealed })
    expect(await store.sealed.keyId()).toBe(vault.keyId())
    await store.projects.update(1, { gitToken: vault.seal(redacted('x')) })
    const other = createVault({ key }, { sealed: store.sealed })
    await expect(other).rejects.toThrow(/SERVICE_MASTER_KEY is not the key/)
    const otherFile = join(tempFolder(), 'master.key')
    const missing = createVault({ keyFile: otherFile }, { sealed: store.sealed })
    await expect(missing).rejects.toThrow(/is missing and the database has secrets/)
    expect(existsSync(otherFile)).toBe(false)
    await createVault({ keyFile: otherFile })
    const wrong = createVault({ keyFile: otherFile }, { sealed: store.sealed })
    await expect(wrong).rejects.toThrow(/is not the key that the database was encrypted with/)
    await createVault({ keyFile }, { sealed: store.sealed })
  })

  test('can be replaced while the database has no secrets', async () => {
    const store = await filledStore()
    await createVault({ keyFile: join(tempFolder(), 'master.key') }, { sealed: store.sealed })
    const vault = await createVault({ key }, { sealed: store.sealed })
    expect(await store.sealed.keyId()).toBe(vault.keyId())
  })
})
