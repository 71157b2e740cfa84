import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Field } from '../../../src/generator/model/model.ts'
import { availableKinds, storeOf } from '../../../src/generator/stores/stores.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'
import { removeProject, writeProject } from '../../support/generator/properties/emitted-project.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'

test('the emitted tests of a project with random features pass', async () => {
  const [model] = fc.sample(models('sqlite', 12), { seed: 4, numRuns: 1 })
  const features = model?.features.flatMap((feature) => {
    const fields = feature.fields.filter(hasRoom)
    return fields.length > 0 ? [{ ...feature, fields }] : []
  })
  if (model === undefined || features === undefined) throw new Error('nothing was drawn')
  const root = await writeProject({ ...model, features })
  onTestFinished(() => removeProject(root))
  await runTool(root, 'prisma', 'generate')
  const { code, output } = await runTool(root, 'vitest', 'run', '--no-isolate')
  expect(code, output).toBe(0)
})

/** The contract tests of a unique field create dozens of records. */
function hasRoom({ unique, type, min, max }: Field): boolean {
  if (!unique) return true
  return min === undefined && max === undefined && type.kind !== 'enum' && type.kind !== 'decimal'
}

describe.each(availableKinds)('a %s project of 40 random features', (database) => {
  let root = ''
  beforeAll(async () => {
    const [model] = fc.sample(models(database, 40), { seed: 71, numRuns: 1 })
    if (model === undefined) throw new Error('nothing was drawn')
    root = await writeProject(model)
  })
  afterAll(() => removeProject(root))

  test('has a schema that Prisma accepts', async ({ skip }) => {
    skip(storeOf(database).generate === '', 'it has none')
    for (const command of ['validate', 'generate']) {
      const { code, output } = await runTool(root, 'prisma', command)
      expect(code, output).toBe(0)
    }
  })

  test('compiles', async () => {
    const { code, output } = await runTool(root, 'tsc', '--noEmit')
    expect(code, output).toBe(0)
  })
})
