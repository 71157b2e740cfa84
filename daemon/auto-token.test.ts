import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keepAutoSecrets } from './auto-token.ts'

test('two secrets are made once, for the eyes of the owner', async () => {
  const folder = temporaryFolder()
  const made = await keepAutoSecrets(folder)
  expect(made.isNew).toBe(true)
  expect(made.apiToken.reveal()).toMatch(/^[0-9a-f]{64}$/)
  expect(made.webhookSecret.reveal()).not.toBe(made.apiToken.reveal())
  expect(readdirSync(folder).toSorted()).toEqual(['api-token', 'webhook-secret'])
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  }
  const kept = await keepAutoSecrets(folder)
  expect(kept.isNew).toBe(false)
  expect(kept.apiToken.reveal()).toBe(made.apiToken.reveal())
})

test('a file that holds something else is told of, and left as it is', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'api-token'), 'mine')
  await expect(keepAutoSecrets(folder)).rejects.toThrow(
    'api-token does not hold 64 hexadecimal digits: remove it to have a new one made',
  )
  expect(readdirSync(folder)).toEqual(['api-token'])
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
