import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepGeneratedSecrets } from './generated-secrets.ts'

test('keepGeneratedSecrets generates two secrets once, in files only the owner can read', async () => {
  const folder = temporaryFolder()
  const created = await keepGeneratedSecrets(folder)
  expect(created.isNew).toBe(true)
  expect(created.apiToken.reveal()).toMatch(/^[0-9a-f]{64}$/)
  expect(created.webhookSecret.reveal()).not.toBe(created.apiToken.reveal())
  expect(readdirSync(folder).toSorted()).toEqual(['api-token', 'webhook-secret'])
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
  const kept = await keepGeneratedSecrets(folder)
  expect(kept.isNew).toBe(false)
  expect(kept.apiToken.reveal()).toBe(created.apiToken.reveal())
})

test('keepGeneratedSecrets refuses an invalid token file and leaves it unchanged', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'api-token'), 'mine')
  await expect(keepGeneratedSecrets(folder)).rejects.toThrow(
    'api-token does not hold 64 hexadecimal digits: remove the file to generate a new secret',
  )
  expect(readdirSync(folder)).toEqual(['api-token'])
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
