import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { freeFileRange } from './free-file-range.ts'

test('the fallocate program gets PATH and no other variable of the daemon', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'strata-fallocate-'))
  const seen = join(folder, 'environment')
  writeFileSync(join(folder, 'fallocate'), `#!/bin/sh\nenv > ${seen}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  vi.stubEnv('SERVICE_MASTER_KEY', 'canary-key')
  try {
    expect(await freeFileRange(join(folder, 'file'), 0, 8192)).toBe(true)
    const environment = readFileSync(seen, 'utf8')
    expect(environment).toContain(`PATH=${folder}`)
    expect(environment).not.toMatch(/SERVICE_|canary/)
  } finally {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  }
})
