import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recipes } from '../../../examples/recipes.mjs'
import { done, temporaryFolder } from '../../support/generator/folders.ts'
import { hashTree } from '../../support/tree.ts'

const made = ['node_modules', 'dist', 'data', 'generated', '.env']

test.each(recipes)(
  'running the recipe of $name again keeps hand-written code and changes no byte',
  async ({ name, commands }) => {
    const example = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))
    const root = join(temporaryFolder(), name)
    cpSync(example, root, { recursive: true, filter: (path) => !made.includes(basename(path)) })
    const before = hashTree(root)
    for (const command of commands) expect(await done(root, ...command)).toContain('nothing to do')
    expect(hashTree(root)).toBe(before)
  },
)
