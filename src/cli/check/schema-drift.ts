import type { Field, Model } from '../../generator/model/model.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import { type FieldChange, mendCommand, withoutDefault } from './mend-command.ts'

export const schemaPath = 'prisma/schema.prisma'

/**
 * Lists the fields of `schema.prisma` that are missing or have another type or default than the model says. Models, fields
 * and attributes of a person's own are not compared.
 */
export function schemaDrift(model: Model, text: string | undefined): readonly string[] {
  const emitted = storeOf(model).files(model)[schemaPath]
  if (emitted === undefined) return []
  if (text === undefined) return [`${schemaPath} is missing`]
  const present = modelsOf(text)
  return [...modelsOf(emitted)].flatMap(([name, columns]) => {
    const lines = present.get(name)
    if (lines === undefined) return [`${schemaPath} has no model ${name}`]
    return [...columns].flatMap(([column, line]) => {
      const found = lines.get(column)
      if (found === undefined) return [`${schemaPath} has no ${name}.${column}`]
      return columnDrift(model, name, column, { line, found })
    })
  })
}

function columnDrift(
  model: Model,
  name: string,
  column: string,
  { line, found }: { readonly line: string; readonly found: string },
): readonly string[] {
  const [type, foundType] = [typeOf(line), typeOf(found)]
  const place = `${schemaPath}: ${name}.${column}`
  if (type !== foundType) return [`${place} has the type ${foundType}, the model ${type}`]
  const [initial, foundInitial] = [defaultOf(line), defaultOf(found)]
  if (initial === foundInitial) return []
  const is = foundInitial === undefined ? 'has no default' : `has the default ${foundInitial}`
  const wants = initial === undefined ? 'no default' : `the default ${initial}`
  return [`${place} ${is}, the model ${wants}: ${advice(model, name, column, foundInitial)}`]
}

function advice(model: Model, name: string, column: string, stated: string | undefined): string {
  const feature = model.features.find(({ entity }) => entity.type === name)
  const field = feature?.fields.find(({ camel }) => camel === column)
  if (feature === undefined || field === undefined) return 'restore the value of the model'
  return mendCommand(feature, field, changeTo(field, stated))
}

function changeTo({ type }: Field, stated: string | undefined): FieldChange | undefined {
  if (stated === undefined) return withoutDefault
  const isText = ['string', 'text', 'email', 'enum'].includes(type.kind)
  const isNumber = ['int', 'uint', 'float'].includes(type.kind)
  if (isText && /^"[^"\\]*"$/.test(stated)) return literal(stated.slice(1, -1))
  if (isNumber && /^-?\d+(\.\d+)?$/.test(stated)) return literal(Number(stated))
  if (type.kind === 'bool' && /^(true|false)$/.test(stated)) return literal(stated === 'true')
  return undefined
}

function literal(value: string | number | boolean): Partial<Field> {
  return { default: { kind: 'literal', value } }
}

/** Returns the field lines of each model by name. */
function modelsOf(schema: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const blocks = schema.replaceAll('\r\n', '\n').matchAll(/^model\s+(\w+)\s*\{\n([\s\S]*?)^\}/gm)
  return new Map(
    [...blocks].map(([, name = '', body = '']) => [
      name,
      new Map(
        body
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => /^\w/.test(line))
          .map((line) => [line.split(/\s/, 1)[0] ?? '', line]),
      ),
    ]),
  )
}

function typeOf(line: string): string {
  return line.split(/\s+/)[1] ?? ''
}

/** Returns the text between the parentheses of `@default(…)`, which may contain parentheses and quoted text. */
function defaultOf(line: string): string | undefined {
  const start = line.indexOf('@default(')
  if (start === -1) return undefined
  const rest = line.slice(start + '@default('.length)
  let depth = 1
  for (const { 0: token, index } of rest.matchAll(/"(?:[^"\\]|\\.)*"|[()]/g)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (depth === 0) return rest.slice(0, index)
  }
  return rest
}
