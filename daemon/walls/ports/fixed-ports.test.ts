import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFixedPorts } from './fixed-ports.ts'

test('without rules, reads no recorded ports', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'fixed-ports-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  // A file in place of the folder: reading it fails, like reading the folder of another user.
  const folder = join(parent, 'ports')
  writeFileSync(folder, '')
  const ports = createFixedPorts({
    folder,
    dataDir: parent,
    isCovered: () => false,
    rules: () => undefined,
    exclusive: (work) => work(),
    warn: (message) => expect.unreachable(message),
  })
  await expect(ports.keep([3000])).resolves.toBeUndefined()
})
