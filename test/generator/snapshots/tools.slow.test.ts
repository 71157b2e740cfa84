import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { storeOf } from '../../../src/generator/stores/stores.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'
import { cases } from './cases.ts'
import { restore } from './layout.ts'
import { materialize, materialized, readExample, readStored } from './storage.ts'

const names = cases.map(({ name }) => name)
const folderOf = (name: string) => join(materialized, name)

beforeAll(() => {
  for (const [name, tree] of restore(readStored(), names, readExample)) materialize(name, tree)
})

describe.each(cases)('the project $name', ({ name, ...project }) => {
  test.runIf(storeOf(project).generate)('has a schema that Prisma accepts', async () => {
    for (const command of ['validate', 'generate']) {
      const { code, output } = await runTool(folderOf(name), 'prisma', command)
      expect(code, output).toBe(0)
    }
  })

  test('passes its own Biome check', async () => {
    const { code, output } = await runTool(folderOf(name), 'biome', 'check', '--error-on-warnings')
    expect(code, output).toBe(0)
  })
})

// Runs after the tests above: they generate the Prisma clients, which need @prisma/client.
test.each(cases)(
  'the project $name has no unused file, export or dependency',
  async ({ name, features }) => {
    const isEmpty = features.length === 0
    const config = {
      // Knip does not read scripts of package.json that start with `exec`, nor the arguments of `spawn`.
      entry: ['src/main.ts', 'client/index.ts', 'scripts/*.mjs', 'test/**/*.test.ts'],
      ignoreDependencies: [
        'tsx',
        // Prisma's generated client imports it. Git, and thus Knip, ignores that client.
        '@prisma/client',
        // The tests of the first feature need them.
        ...(isEmpty ? ['ajv', 'ajv-formats'] : []),
      ],
    }
    writeFileSync(join(folderOf(name), 'knip.json'), JSON.stringify(config))
    const { code, output } = await runTool(folderOf(name), 'knip')
    expect(code, output).toBe(0)
  },
)

// Runs after the tests above: they generate the Prisma clients that the code imports.
test('the stored trees compile', async () => {
  const config = {
    extends: `./${names[0]}/tsconfig.json`,
    include: ['*/src', '*/client', '*/test', '*/*.config.ts'],
  }
  writeFileSync(join(materialized, 'tsconfig.json'), JSON.stringify(config))
  const { code, output } = await runTool(materialized, 'tsc', '--noEmit', '-p', 'tsconfig.json')
  expect(code, output).toBe(0)
})

test('the emitted tests of the kitchen sink pass', async () => {
  const { code, output } = await runTool(folderOf('sqlite-kitchen-sink'), 'vitest', 'run')
  expect(code, output).toBe(0)
})
