import fc from 'fast-check'
import { type FormatConfig, format } from 'oxfmt'
import { Project, ts } from 'ts-morph'
import { expect, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../model/build.ts'
import type { Feature } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import { renderWiring } from '../render/render.ts'
import { sortImports } from '../render/sort-imports.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { storeOf } from '../stores/stores.ts'
import { wireFeature, wiringPaths } from './wire.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const names = ['Post', 'BlogPost', 'Book', 'Type', 'News', 'ProductCategoryAssignment']

test('a file with another layout, comments and names gets the same code as the template', async () => {
  await fc.assert(
    fc.asyncProperty(
      order(),
      style(),
      noise(),
      fc.boolean(),
      async (entities, look, seeds, isRenamed) => {
        const [added, ...before] = entities.map(feature)
        if (added === undefined) return
        const rename = isRenamed ? renamed : (text: string) => text
        for (const path of wiringPaths) {
          const text = perturbed(await styled(rename(await rendered(path, before)), look), seeds)
          const result = wireFeature({ path, text, feature: added, adapter })
          if (result.kind !== 'edited')
            throw new Error(`${path}: ${JSON.stringify(result)}\n${text}`)
          expect(isSubsequence(text, result.text)).toBe(true)
          expect(await essence(result.text)).toBe(
            await essence(rename(await rendered(path, [...before, added]))),
          )
        }
      },
    ),
    { numRuns: 25 },
  )
})

const { adapter } = storeOf(shop.database)

function feature(name: string): Feature {
  return createFeature({
    entity: entityNames(name),
    ...parseFieldArgs(['slug:string:unique', 'title:string:unique']),
  })
}

async function rendered(path: string, features: readonly Feature[]): Promise<string> {
  return (await renderWiring(features.reduce(withFeature, shop))).get(path) ?? ''
}

/** At least two features, so that every parameter is used and has no underscore. */
function order(): fc.Arbitrary<readonly string[]> {
  return fc.shuffledSubarray(names, { minLength: 2 })
}

function style(): fc.Arbitrary<FormatConfig> {
  return fc.record({
    printWidth: fc.constantFrom(40, 80, 200),
    semi: fc.boolean(),
    singleQuote: fc.boolean(),
    useTabs: fc.boolean(),
    tabWidth: fc.constantFrom(2, 4),
    trailingComma: fc.constantFrom('all', 'none'),
    bracketSpacing: fc.boolean(),
    endOfLine: fc.constantFrom('lf', 'crlf'),
  })
}

async function styled(text: string, look: FormatConfig): Promise<string> {
  return (await format('file.ts', text, look)).code
}

/** Noise to insert between the tokens of a file. */
function noise(): fc.Arbitrary<readonly string[]> {
  const piece = fc.constantFrom(
    '',
    '',
    '',
    ' ',
    '  ',
    '/* , } */',
    ' /* return { posts } */ ',
    '\n',
    ' // ] x\n\t',
  )
  return fc.array(piece, { minLength: 3, maxLength: 40 })
}

/** Inserts noise between the tokens of a file. Inserts new lines only where they can't end a statement. */
function perturbed(text: string, noise: readonly string[]): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text)
  const pieces: string[] = []
  for (let i = 0; scanner.scan() !== ts.SyntaxKind.EndOfFileToken; i++) {
    const token = scanner.getTokenText()
    const extra = noise[i % noise.length] ?? ''
    const mayBreak = /^[{(,[=]$/.test(token)
    pieces.push(token, extra.includes('\n') && !mayBreak ? '' : extra)
  }
  return pieces.join('')
}

function renamed(text: string): string {
  return text
    .replace(/\bnow(?= =)/g, 'clock')
    .replace(/\bnow\b(?=,?\s+\})/g, 'now: clock')
    .replace(/(?<=\*\/\s+)send,/, 'send: call,')
    .replace(/(?<=const |\(\s*)send\b/g, 'call')
    .replace(/(?<=const |return |\n {2})api\b(?! v)/g, 'v1')
    .replace(/(?<![\w/])(store|repositories|container)(?=[.:)])/g, 'their$1')
}

/** Returns true if the wired text contains every character of the original. */
function isSubsequence(text: string, longer: string): boolean {
  let found = 0
  for (const character of longer) if (character === text[found]) found++
  return found === text.length
}

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true })
const printer = ts.createPrinter({ removeComments: true })

/** Removes comments, layout and the order of imports. Throws if the code does not parse. */
async function essence(text: string): Promise<string> {
  const source = project.createSourceFile('/essence.ts', text, { overwrite: true })
  const { code, errors } = await format('file.ts', printer.printFile(source.compilerNode), {
    printWidth: 320,
    semi: false,
    singleQuote: true,
  })
  expect(errors).toEqual([])
  return sortImports(code)
    .replace(/\s+/g, '')
    .replace(/,(?=[\])}])/g, '')
}
