import pluralize from 'pluralize'
import { StrataError } from '../errors.ts'
import { identifierMaxBytes } from './field-limits.ts'
import { typeName } from './identifiers.ts'
import type { EntityNames, Spellings } from './model.ts'
import { spell, splitWords } from './words.ts'

/**
 * Derives every name of an entity from any spelling (`blog_post`, `blogPost`, `BlogPost`).
 * `options.plural`, in any spelling, overrides the library's plural. Throws `usage`, with the place,
 * for an invalid name and for a name that a store can't use for a table.
 */
export function entityNames(input: string, options: { plural?: string } = {}): EntityNames {
  const entity = spell(readWords(input, 'an entity name'))
  assertFits(input, entity.snake, '')
  const plural =
    options.plural === undefined ? pluralOf(entity) : spell(readWords(options.plural, 'a plural'))
  assertTable(options.plural ?? input, plural.snake)
  return { ...entity, type: typeName(entity.pascal), plural }
}

/** Returns the library's plural of an entity, built from the last word (`BlogPost` → `BlogPosts`). */
export function pluralOf(entity: Spellings): Spellings {
  const words = entity.words.split(' ')
  const last = words.at(-1) ?? ''
  return spell(splitWords([...words.slice(0, -1), pluralize(last)].join('_')))
}

function readWords(input: string, what: string): readonly string[] {
  if (input === '') throw new StrataError('usage', `${what} is missing: write it like BlogPost`)
  const fault = /[^A-Za-z0-9_-]|^[^A-Za-z]|[_-](?![A-Za-z])/.exec(input)
  if (fault === null) return splitWords(input)
  const legal = input.replace(/[^A-Za-z0-9]+/g, '_').replace(/_(?=[0-9])|^[0-9_]+|_$/g, '')
  const proposal = /^[A-Za-z]/.test(legal) ? `, as in ${spell(splitWords(legal)).pascal}` : ''
  throw new StrataError(
    'usage',
    `${JSON.stringify(input)} is not ${what}: use ASCII letters, and digits after a letter${proposal}`,
    { place: { input, start: fault.index, length: 1 } },
  )
}

function assertTable(input: string, table: string): void {
  assertFits(input, table, '_pkey')
  if (!table.startsWith('sqlite_')) return
  throw new StrataError(
    'usage',
    `the table would be ${table}, and SQLite reserves names that start with sqlite_: choose another name, or another plural with --plural`,
    { place: { input, start: 0, length: input.length } },
  )
}

function assertFits(input: string, name: string, suffix: string): void {
  const bytes = name.length + suffix.length
  if (bytes <= identifierMaxBytes) return
  throw new StrataError(
    'usage',
    `${name}${suffix} has ${bytes} characters, and PostgreSQL allows ${identifierMaxBytes}: choose a shorter name`,
    { place: { input, start: 0, length: input.length } },
  )
}
