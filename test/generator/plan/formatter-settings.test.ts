import { format } from 'oxfmt'
import { describe, expect, test } from 'vitest'
import { projectStyle } from '../../../src/generator/merge/project-style.ts'
import { createModel } from '../../../src/generator/model/build.ts'
import { isBasePath } from '../../../src/generator/plan/base.ts'
import type { CodeStyle } from '../../../src/generator/render/format.ts'
import {
  addFeature,
  featureOf,
  newTree,
  planFor,
  renameIn,
  type Tree,
} from '../../support/generator/memory-project.ts'

const prettier: CodeStyle = { printWidth: 88, semi: true, singleQuote: false, tabWidth: 4 }

/** The settings of `prettier`, in each form that a project can have them in. */
const forms: Record<string, readonly (readonly [path: string, text: string])[]> = {
  '.prettierrc as JSON with comments': [
    ['.prettierrc', '{ // ours\n  "printWidth": 88, "tabWidth": 4,\n}'],
  ],
  '.prettierrc as YAML': [['.prettierrc', '# ours\nprintWidth: 88\ntabWidth: 4\nsemi: true\n']],
  '.prettierrc.json with an override': [
    [
      '.prettierrc.json',
      '{"printWidth": 60, "overrides": [{"files": ["*.{ts,mjs}"], "options": {"printWidth": 88, "tabWidth": 4}}, {"files": "docs/**", "options": {"semi": false}}]}',
    ],
  ],
  '.prettierrc with .editorconfig': [
    ['.prettierrc', '{}'],
    [
      '.editorconfig',
      'root = true\n[*]\nindent_style = space\nindent_size = 4\nmax_line_length = 88\n[*.md]\nindent_size = 8\n',
    ],
  ],
  'biome.json': [
    [
      'biome.json',
      '{"formatter": {"indentStyle": "space", "indentWidth": 4, "lineWidth": 88}, "javascript": {"formatter": {"quoteStyle": "double"}}}',
    ],
  ],
}

async function shop(): Promise<Tree> {
  const tree = await newTree(
    createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false }),
  )
  await addFeature(tree, featureOf('Tag name:string'))
  await addFeature(tree, featureOf('Post title:string body:text --search=title'))
  return tree
}

/** Formats every script of the project, as a person's formatter does. */
async function reformat(tree: Tree, style: CodeStyle): Promise<void> {
  for (const path of scriptsIn(tree))
    tree.set(path, (await format(path, tree.get(path) ?? '', style)).code)
}

function scriptsIn(tree: Tree): string[] {
  return [...tree.keys()].filter((path) => /\.(ts|mjs)$/.test(path) && !isBasePath(path))
}

async function expectFormatted(tree: Tree, style: CodeStyle): Promise<void> {
  for (const path of scriptsIn(tree)) {
    const text = tree.get(path) ?? ''
    expect([path, (await format(path, text, style)).code]).toEqual([path, text])
  }
}

describe.each(Object.entries(forms))('a project with %s', (_, settings) => {
  test('gets new, changed and renamed code in its style', async () => {
    const tree = await shop()
    for (const [path, text] of settings) tree.set(path, text)
    await reformat(tree, prettier)
    await addFeature(tree, featureOf('Review post_id:uint:fk:cascade text:text stars:uint:max=5'))
    await addFeature(
      tree,
      featureOf('Post title:string body:text price:decimal(8,2):optional --search=title'),
    )
    await renameIn(tree, 'Review', 'CustomerOpinion', { alias: true })
    await expectFormatted(tree, prettier)
    const again = featureOf('Tag name:string')
    expect((await planFor(tree, again)).actions.filter(({ kind }) => kind !== 'skip')).toEqual([])
  })
})

test('a file that the person formats otherwise keeps its format', async () => {
  const tree = await shop()
  tree.set('.prettierrc', '{}')
  const path = 'src/domain/post.ts'
  const text = `${tree.get(path)}\n  export   const mine = [1,2]\n`
  tree.set(path, text)
  await addFeature(tree, featureOf('Post title:string body:text stars:int:optional --search=title'))
  expect(tree.get(path)).toContain('  export   const mine = [1,2]\n')
  expect(tree.get(path)).toContain('stars')
})

test('a file with CRLF keeps CRLF in the style of the settings', async () => {
  const tree = await shop()
  tree.set('.prettierrc', 'semi: true')
  await reformat(tree, { printWidth: 80 })
  const path = 'src/domain/post.ts'
  tree.set(path, tree.get(path)?.replaceAll('\n', '\r\n') ?? '')
  await addFeature(tree, featureOf('Post title:string body:text stars:int:optional --search=title'))
  const text = tree.get(path) ?? ''
  expect(text).toContain('  stars: number | null;\r\n')
  expect(text).not.toMatch(/[^\r]\n/)
})

describe('settings that strata can not read', () => {
  test.each([
    ['prettier.config.mjs', 'export default {}'],
    ['.prettierrc.toml', 'semi = true'],
    ['.prettierrc', 'overrides:\n  - files: "*.ts"\n'],
    ['biome.json', '{ "formatter": '],
  ])('a run that creates scripts names %s', async (path, text) => {
    const tree = await shop()
    tree.set(path, text)
    const plan = await addFeature(tree, featureOf('Note text:string'))
    expect(plan.warnings).toEqual([
      `${path} is code or not plain data, so strata does not read it: run your formatter on the new files`,
    ])
    const change = await addFeature(tree, featureOf('Note text:text'), { allowDestructive: true })
    expect(change.warnings).toBeUndefined()
  })

  test('the name of a package in package.json is code', () => {
    const files: Record<string, string> = {
      'package.json': '{"prettier": "@acme/prettier-config"}',
    }
    const { ignored } = projectStyle((path) => files[path])
    expect(ignored).toBe('package.json#prettier')
  })
})

test('settings that mean the emitted style, and disabled formatters, have no style', () => {
  const styleFrom = (path: string, text: string) =>
    projectStyle((each) => (each === path ? text : undefined)).styleOf('src/a.ts')
  expect(styleFrom('.prettierrc', '{"printWidth":100,"semi":false,"singleQuote":true}')).toBe(
    undefined,
  )
  expect(styleFrom('biome.jsonc', '{"formatter": {"enabled": false}}')).toBe(undefined)
  expect(
    styleFrom('biome.jsonc', '{"javascript": {"formatter": {"semicolons": "asNeeded"}}}'),
  ).toMatchObject({ useTabs: true, printWidth: 80, semi: false, singleQuote: false })
})
