import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFeature } from '../model/build.ts'
import { entityNames } from '../model/names.ts'
import { parseFieldArgs } from '../spec/field-list.ts'
import { unwireFeature } from './unwire.ts'
import { wireFeature } from './wire.ts'
import { parseFile } from './wire-file.ts'

const feature = createFeature({ entity: entityNames('Tag'), ...parseFieldArgs(['name:string']) })
const folder = new URL('./fixtures/', import.meta.url)
const paths: Readonly<Record<string, string>> = {
  container: 'src/container.ts',
  routes: 'src/routes.ts',
  client: 'client/index.ts',
  memory: 'test/support/memory.ts',
}

/** Fixtures that get the whole wiring of the feature. The others contain a part of it before. */
const wired = readdirSync(folder).flatMap((name) => {
  const path = paths[name.split('-')[0] ?? ''] ?? ''
  const input = readFileSync(new URL(`${name}/input.ts`, folder), 'utf8')
  const result = wireFeature({ path, text: input, feature, adapter: 'prisma' })
  return result.kind === 'edited' && !/tag/i.test(input)
    ? [[name, { path, input, output: result.text }] as const]
    : []
})

/** Fixtures in which wiring changes more than the feature's own code: a parameter's name, or an import of a helper. */
const changedOtherwise =
  /first-feature|emptied|underscores|-auth$|namespace|commas-first|another-name|overloads/

test.each(wired)(
  'the wiring of an added feature is removed from %s',
  (name, { path, input, output }) => {
    const text = unwireFeature(path, output, feature, 'prisma')
    expect(text).not.toMatch(/tag/i)
    expect(() => parseFile(text ?? '')).not.toThrow()
    if (!changedOtherwise.test(name)) expect(text).toBe(input)
  },
)

test('constants and destructured services of a removed feature go with their uses', () => {
  const text = [
    "import { createTagRepository } from './repositories/tag.repository.prisma.js'",
    "import { createTagService } from './use-cases/tag.service.js'",
    'export function createContainer(repos: Repositories) {',
    '  const posts = createPostService({ repository: repos.posts })',
    '  // The tags.',
    '  const tags = createTagService({ repository: repos.tags })',
    '  return { posts, tags }',
    '}',
    '',
  ]
  expect(unwireFeature('src/container.ts', text.join('\n'), feature, 'prisma')).toBe(
    [text[2], text[3], '  return { posts }', '}', ''].join('\n'),
  )
})

test.each([
  'export function all() {\n  return createTagService\n}',
  'export const mine = createTagService',
  'register(createTagService)',
])('a use in code of a person is not removed: %s', (code) => {
  const text = `import { createTagService } from './use-cases/tag.service.js'\n${code}\n`
  expect(unwireFeature('src/container.ts', text, feature, 'prisma')).toBeUndefined()
})
