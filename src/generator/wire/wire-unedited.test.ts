import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../model/build.ts'
import type { Feature, Model } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import { format } from '../render/format.ts'
import { renderWiring } from '../render/render.ts'
import { sortImports } from '../render/sort-imports.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { storeOf } from '../stores/stores.ts'
import { wireFeature, wiringPaths } from './wire.ts'

const shop = createModel({
  name: 'bookstore',
  module: 'bookstore',
  database: 'sqlite',
  auth: false,
})
const { adapter } = storeOf(shop.database)

describe('wiring an unedited file', () => {
  test.each([
    [['Map']],
    ['Map Type Class New Default Http Router Response Object Json'.split(' ')],
    [['BlogPost', 'Post', 'Book', 'News']],
    [['Post', 'BlogPost', 'Bookstore', 'Book', 'Person', 'Category', 'SKUItem', 'Item10', 'Item9']],
    [['ProductCategoryAssignment', 'InternationalShippingAddress', 'SupportTicketEscalation']],
    [
      [
        'Store',
        'Repository',
        'Service',
        'Client',
        'Container',
        'Send',
        'Resource',
        'Api',
        'Now',
        'Memory',
      ],
    ],
  ])('gives the same file as the template for %j', async (names) => {
    await expectEqual(names.map((name, i) => feature(name, i)))
  })

  test('gives the same file as the template for any names', async () => {
    await fc.assert(
      fc.asyncProperty(features(), async (each) => {
        await expectEqual(each)
      }),
      { numRuns: 15 },
    )
  })
})

/** Adds the features one by one, with and without formatting between them. */
async function expectEqual(features: readonly Feature[]): Promise<void> {
  const expected = await renderWiring(modelOf(features))
  const empty = await renderWiring(shop)
  for (const path of wiringPaths) {
    let text = empty.get(path) ?? ''
    let laidOut = text
    for (const each of features) {
      text = wired(path, text, each)
      const sorted = sortImports(wired(path, laidOut, each))
      laidOut = await format(path, sorted)
      if (!hasWideArray(path, laidOut)) expect(sorted).toBe(laidOut)
    }
    expect(await tidy(path, text)).toBe(expected.get(path))
    expect(laidOut).toBe(expected.get(path))
  }
}

/** An array on one line stays on one line even if it becomes too wide: the user chose that layout. */
function hasWideArray(path: string, text: string): boolean {
  return path === 'src/routes.ts' && /\[\n/.test(text)
}

function wired(path: string, text: string, each: Feature): string {
  const result = wireFeature({ path, text, feature: each, adapter })
  if (result.kind !== 'edited') throw new Error(`${path} is ${JSON.stringify(result)}\n${text}`)
  expect(wireFeature({ path, text: result.text, feature: each, adapter })).toEqual({
    kind: 'unchanged',
  })
  return result.text
}

async function tidy(path: string, text: string): Promise<string> {
  return format(path, sortImports(text))
}

function modelOf(features: readonly Feature[]): Model {
  return features.reduce(withFeature, shop)
}

function feature(name: string, uniques: number): Feature {
  const fields = Array.from(
    { length: uniques % 4 },
    (_, i) => `a_rather_long_name_${i}:string:unique`,
  )
  return createFeature({
    entity: entityNames(name),
    ...parseFieldArgs(['title:string', ...fields]),
  })
}

function features(): fc.Arbitrary<readonly Feature[]> {
  const word = fc.constantFrom(
    'Post',
    'Blog',
    'Item',
    'A',
    'New',
    'Book',
    'Class',
    'International',
    'S3',
  )
  const name = fc
    .array(word, { minLength: 1, maxLength: 4 })
    .map((names) => names.join('').slice(0, 30))
  const one = fc
    .record({ name, uniques: fc.nat(4) })
    .map((each) => feature(each.name, each.uniques))
  return fc.array(one, { minLength: 1, maxLength: 5 }).filter((all) => {
    try {
      return modelOf(all).features.length === all.length
    } catch {
      return false
    }
  })
}
