import { StrataError } from '../errors.ts'
import { searchableKinds } from '../model/field-kinds.ts'
import { type Field, type Protection, protections } from '../model/model.ts'
import { didYouMean } from './nearest.ts'
import { fault, isEmpty, spanOf, textOf } from './span.ts'
import { split } from './split.ts'

/** Reads `--search a,b`: distinct text fields of the feature. Throws `usage` with the place. */
export function parseSearch(input: string, fields: readonly Field[]): readonly string[] {
  const names: string[] = []
  for (const span of split(spanOf(input), ',')) {
    if (isEmpty(span)) throw fault(span, 'a field is missing here: write --search title')
    const name = textOf(span)
    const message = searchFault(name, fields)
    if (message !== undefined) throw fault(span, message)
    if (names.includes(name)) throw fault(span, `${name} is given twice: leave one out`)
    names.push(name)
  }
  return names
}

/** Returns the reason why `--search` can't name this field, or `undefined` if it can. */
export function searchFault(name: string, fields: readonly Field[]): string | undefined {
  const field = fields.find((each) => each.name === name)
  if (field === undefined) {
    const names = fields
      .filter(({ type }) => searchableKinds.has(type.kind))
      .map((each) => each.name)
    return `there is no field ${JSON.stringify(name)} to search:${didYouMean(name, names)} the searchable fields are ${names.join(', ') || 'none'}`
  }
  if (searchableKinds.has(field.type.kind)) return undefined
  return `${name} is of type ${field.type.kind}: --search needs a string, text or email field`
}

/** Reads `--alias posts,articles` or `--alias none`. The model checks the paths. */
export function parseAliases(input: string): readonly string[] {
  if (input.trim() === 'none') return []
  return split(spanOf(input), ',').map((span) => {
    if (isEmpty(span)) throw fault(span, 'a path is missing here: write --alias posts')
    return textOf(span)
  })
}

/** Reads `--protect none|write|all|admin`. Throws `usage` with the nearest valid word. */
export function parseProtection(input: string): Protection {
  const found = protections.find((known) => known === input)
  if (found !== undefined) return found
  throw new StrataError(
    'usage',
    `unknown protection ${JSON.stringify(input)}:${didYouMean(input, protections)} it is one of ${protections.join(', ')}`,
    { place: { input, start: 0, length: input.length } },
  )
}
