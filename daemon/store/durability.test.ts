import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { bundleProgram } from '../../test/support/daemon/store/killed-child.ts'
import { filledStore, tempFolder, tempStore } from '../../test/support/daemon/store/temp-store.ts'

test('acknowledged writes survive kill -9', async () => {
  const entry = new URL('../../test/support/daemon/store/writing-child.ts', import.meta.url)
  const program = await bundleProgram(fileURLToPath(entry))
  try {
    const file = join(tempFolder(), 'database.sqlite')
    await (await filledStore(file)).close()
    const { reached, isKilled } = await program.run([file], '300')
    expect(isKilled).toBe(true)
    const store = await tempStore(file)
    const branches = (await store.queue.list()).map(({ branch }) => branch)
    expect(branches).toEqual(reached.map((n) => `b${n}`))
    expect(branches).toHaveLength(300)
  } finally {
    program.remove()
  }
})
