import { describe, expect, test } from 'vitest'
import { storeOf } from '../../../src/generator/stores/stores.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'
import { cases } from './cases.ts'
import { folderOf } from './folder.ts'

describe.each(cases)('$name', ({ name, database }) => {
  test.runIf(storeOf(database).generate)('has a schema that Prisma takes', async () => {
    for (const command of ['validate', 'generate']) {
      const { code, output } = await runTool(folderOf(name), 'prisma', command)
      expect(code, output).toBe(0)
    }
  })

  test('is laid out and linted as its own Biome wants', async () => {
    const { code, output } = await runTool(folderOf(name), 'biome', 'check', '--error-on-warnings')
    expect(code, output).toBe(0)
  })
})

test('what is stored compiles', async () => {
  const { code, output } = await runTool(folderOf('.'), 'tsc', '--noEmit', '-p', 'tsconfig.json')
  expect(code, output).toBe(0)
})

test('the tests that the kitchen sink comes with pass', async () => {
  const { code, output } = await runTool(folderOf('sqlite-kitchen-sink'), 'vitest', 'run')
  expect(code, output).toBe(0)
})
