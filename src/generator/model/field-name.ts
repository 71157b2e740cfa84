import { StrataError } from '../errors.ts'
import { identifierMaxBytes } from './field-limits.ts'
import { isInherited } from './identifiers.ts'
import { spell, splitWords } from './words.ts'

/** The two spellings of a field's name: `first_name` and `firstName`. */
export interface FieldName {
  readonly name: string
  readonly camel: string
}

/**
 * Reads a field's name from snake_case or camelCase. Throws `usage`, with the span, for any other spelling, for a
 * managed column and for an inherited member of JavaScript objects: an emitted schema that reads such a key would see
 * the inherited value.
 */
export function fieldName(input: string): FieldName {
  assertShape(input)
  const name = /[A-Z]/.test(input) ? spell(splitWords(input)).snake : input
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  if (managed.has(name)) refuse(input, `${name} is managed: every entity has it already`)
  if (isInherited(camel) || isInherited(input)) {
    refuse(input, `every JavaScript object has a member ${camel}: choose another field name`)
  }
  if (name === 'then') {
    refuse(
      input,
      'JavaScript treats an object with a "then" as a promise: choose another field name',
    )
  }
  if (name.length > identifierMaxBytes) {
    refuse(input, `a field name has at most ${identifierMaxBytes} characters: choose a shorter one`)
  }
  return { name, camel }
}

const managed: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at'])

function assertShape(input: string): void {
  if (input === '') throw new StrataError('usage', 'a field name is missing: write name:type')
  const rule = 'write it in snake_case, ASCII, starting with a letter'
  const fault = /[^A-Za-z0-9_]|^[^A-Za-z]|_(?=_|$)/.exec(input)
  if (fault !== null) refuse(input, `${JSON.stringify(input)} is not a field name: ${rule}`, fault)
  const mixed = /^[A-Z]|[A-Z](?=.*_)|_(?=.*[A-Z])/.exec(input)
  if (mixed === null) return
  const proposal = spell(splitWords(input)).snake
  refuse(input, `${JSON.stringify(input)} is not a field name: write it like ${proposal}`, mixed)
}

function refuse(input: string, message: string, at?: RegExpExecArray): never {
  const place = { input, start: at?.index ?? 0, length: at === undefined ? input.length : 1 }
  throw new StrataError('usage', message, { place })
}
