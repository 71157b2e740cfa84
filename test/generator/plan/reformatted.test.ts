import { type FormatConfig, format } from 'oxfmt'
import { expect, test } from 'vitest'
import { createModel, withoutFeature } from '../../../src/generator/model/build.ts'
import { basePath, isBasePath } from '../../../src/generator/plan/base.ts'
import { format as formatAsEmitted } from '../../../src/generator/render/format.ts'
import {
  addFeature,
  changeModel,
  featureOf,
  modelOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

const styles: Record<string, FormatConfig> = {
  'with semicolons and double quotes in 80 columns': { printWidth: 80 },
  'with tabs and no trailing commas': {
    useTabs: true,
    trailingComma: 'none',
    semi: false,
    singleQuote: true,
  },
  'with four spaces in 120 columns': { tabWidth: 4, printWidth: 120, singleQuote: true },
  'without spaces in braces and parentheses around parameters': {
    semi: false,
    singleQuote: true,
    arrowParens: 'avoid',
    bracketSpacing: false,
    printWidth: 90,
  },
}

const first = [
  'Tag name:string',
  'Book title:string state:enum(new|sold):default=new --search=title',
  'Chapter book_id:uint:fk(Book):cascade text:text',
]

const changes: Record<string, readonly string[]> = {
  'another field': [
    'Book title:string state:enum(new|sold):default=new price:decimal(8,2):optional --search=title',
  ],
  'other types, and a field less': [
    'Book title:text state:enum(new|used|sold):default=new --search=title',
    'Chapter book_id:uint:fk(Book):cascade',
  ],
  'a relation to an older feature': [
    'Review book_id:uint:fk(Book):cascade tag_id:uint:fk(Tag) text:text',
  ],
  'a many-to-many relation': [
    'Book title:string state:enum(new|sold):default=new tags:many(Tag) --search=title',
  ],
}

/** Formats every script as a person's formatter would do. */
async function reformatted(tree: Tree, style: FormatConfig): Promise<Tree> {
  const entries = [...tree].map(async ([path, text]) =>
    isScript(path)
      ? ([path, (await format(path, text, style)).code] as const)
      : ([path, text] as const),
  )
  return new Map(await Promise.all(entries))
}

function isScript(path: string): boolean {
  return /\.(ts|mjs)$/.test(path) && !isBasePath(path)
}

function withoutLayout(text: string): string {
  return text
    .replace(/[\s;]/g, '')
    .replace(/,(?=[)\]}])/g, '')
    .replaceAll('"', "'")
}

async function projectOf(features: readonly string[]): Promise<Tree> {
  const tree = await newTree(
    createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false }),
  )
  for (const line of features) await addFeature(tree, featureOf(line), { allowDestructive: true })
  return tree
}

for (const [style, config] of Object.entries(styles)) {
  test.each(Object.entries(changes))(`a project ${style} takes %s`, async (_, lines) => {
    const tree = await reformatted(await projectOf(first), config)
    for (const line of lines) await addFeature(tree, featureOf(line), { allowDestructive: true })
    const plain = await projectOf([...first, ...lines])
    for (const [path, text] of plain) {
      if (isScript(path)) {
        const merged = await formatAsEmitted(path, tree.get(path) ?? '')
        expect([path, withoutLayout(merged)]).toEqual([path, withoutLayout(text)])
      }
      expect([path, tree.get(basePath(path))]).toEqual([path, plain.get(basePath(path))])
    }
  })
}

test('files that differ in layout alone go with the last entity or field that needs them', async () => {
  const tree = await reformatted(await projectOf([...first, 'Place price:decimal(8,2) x:int']), {
    printWidth: 80,
  })
  await changeModel(tree, withoutFeature(modelOf(tree), 'Chapter'), { allowDestructive: true })
  expect([...tree.keys()].filter((path) => /chapter\./.test(path))).toEqual([])
  expect(tree.has('src/domain/value-range.ts')).toBe(true)
  await addFeature(tree, featureOf('Place name:string'), { allowDestructive: true })
  expect(tree.has('src/domain/value-range.ts')).toBe(false)
})
