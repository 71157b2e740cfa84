import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createModel } from '../../../src/generator/model/build.ts'
import { sortImports } from '../../../src/generator/render/sort-imports.ts'
import { availableKinds } from '../../../src/generator/stores/stores.ts'
import { models } from '../../support/generator/properties/arbitraries.ts'
import { removeProject, writeProject } from '../../support/generator/properties/emitted-project.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'

test.each(availableKinds)('a new %s project passes its Biome check', async (database) => {
  const root = await emitted(createModel({ name: 'shop', module: 'shop', database, auth: false }))
  const { code, output } = await runTool(root, 'biome', 'check', '--error-on-warnings')
  expect(code, output).toBe(0)
})

test('a project of many random features passes its Biome check', async () => {
  const root = await emitted(sampleOf(models('sqlite', 40)))
  const args = ['check', '--max-diagnostics=20', '--error-on-warnings']
  // The generator does not rewrite ${…} in a default: the text is input of the user.
  const own = '--skip=lint/suspicious/noTemplateCurlyInString'
  const { code, output } = await runTool(root, 'biome', ...args, own)
  expect(code, output).toBe(0)
})

test('imports are sorted like Biome sorts them', async () => {
  const root = await emitted(
    createModel({ name: 'a', module: 'a', database: 'sqlite', auth: false }),
  )
  const texts = fc.sample(importLists, { seed, numRuns: 400 })
  const nameOf = (i: number) => join(root, `src/file-${i}.ts`)
  for (const [i, text] of texts.entries()) writeFileSync(nameOf(i), text)
  const args = ['--write', '--only=assist/source/organizeImports', '--formatter-enabled=false']
  await runTool(root, 'biome', 'check', ...args, 'src')
  for (const [i, text] of texts.entries()) {
    expect(sortImports(text)).toBe(readFileSync(nameOf(i), 'utf8'))
  }
})

const seed = 20_260

function sampleOf<T>(arbitrary: fc.Arbitrary<T>): T {
  const [value] = fc.sample(arbitrary, { seed, numRuns: 1 })
  if (value === undefined) throw new Error('nothing was drawn')
  return value
}

/** Imports like those of the templates: one line each, from Node, packages and other folders. */
const importLists = fc
  .uniqueArray(fc.tuple(source(), names(), fc.boolean()), {
    minLength: 2,
    maxLength: 7,
    selector: ([from]) => from,
  })
  .map((imports) =>
    imports
      .map(([from, list, isType]) => `import ${isType ? 'type ' : ''}{ ${list} } from '${from}'\n`)
      .concat('\nexport const x = 1\n')
      .join(''),
  )

function source(): fc.Arbitrary<string> {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,3}(-[a-z][a-z0-9]{0,3}){0,2}$/)
  const role = fc.constantFrom('.js', '.repository.js', '.repository.prisma.js', '.schema.js')
  const file = fc.tuple(word, role).map((parts) => parts.join(''))
  const folder = fc.constantFrom('./', '../', '../../', '../domain/', './handlers/', '../../src/')
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(folder, file).map((parts) => parts.join('')) },
    fc.constantFrom('node:fs', 'node:path', 'node:fs/promises', 'zod', 'express', '@prisma/client'),
  )
}

function names(): fc.Arbitrary<string> {
  const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,5}$/)
  return fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).map((list) => list.join(', '))
}

async function emitted(model: Parameters<typeof writeProject>[0]): Promise<string> {
  const root = await writeProject(model)
  onTestFinished(() => removeProject(root))
  return root
}
