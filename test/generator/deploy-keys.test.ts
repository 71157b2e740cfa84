import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDeploySection } from '../../daemon/build/strata-json-deploy.ts'
import { deployKeys } from '../../src/generator/spec/deploy-keys.ts'

const checkout = mkdtempSync(join(tmpdir(), 'strata-deploy-'))
afterAll(() => rmSync(checkout, { recursive: true, force: true }))

test('the generator accepts exactly the keys of deploy that the daemon knows', async () => {
  writeFileSync(join(checkout, 'strata.json'), '{ "deploy": { "unknown": 1 } }')
  await expect(readDeploySection(checkout)).rejects.toThrow(
    `deploy has no key unknown: expected ${deployKeys.join(', ')}`,
  )
})
