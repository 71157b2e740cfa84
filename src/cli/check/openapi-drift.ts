import * as z from 'zod/mini'
import { intRange, uintRange } from '../../generator/model/field-limits.ts'
import type { Feature, Field } from '../../generator/model/model.ts'
import { lengthBounds } from '../../generator/render/field-view.ts'
import { type FieldChange, mendCommand, withoutDefault } from './mend-command.ts'

const property = z.looseObject({
  anyOf: z.optional(z.array(z.record(z.string(), z.unknown()))),
})

const withProperties = z.object({ properties: z.record(z.string(), z.unknown()) })

/**
 * Lists the bounds and defaults of a create body that differ from the model, each with the command that gives the model the
 * value of the code. Properties that the body lacks are a person's choice.
 */
export function openApiDrift(feature: Feature, schemas: Readonly<Record<string, unknown>>) {
  const { pascal } = feature.entity
  const body = withProperties.safeParse(schemas[`Create${pascal}Body`])
  if (!body.success) return []
  return feature.fields
    .filter(({ references }) => references === undefined)
    .flatMap((field) => {
      const stated = statedBy(body.data.properties[field.name])
      return stated === undefined ? [] : fieldDrift(feature, field, stated)
    })
}

/** Returns the keywords of a property. A nullable property has them in its first alternative. */
function statedBy(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  const read = property.safeParse(schema)
  if (!read.success) return undefined
  return { ...read.data.anyOf?.[0], ...read.data }
}

function fieldDrift(
  feature: Feature,
  field: Field,
  stated: Readonly<Record<string, unknown>>,
): readonly string[] {
  const expected = expectedOf(field)
  const differing = Object.entries(expected).filter(([key, { value }]) => stated[key] !== value)
  return differing.map(([key, { value, change }]) => {
    const place = `/openapi.json: ${feature.entity.pascal}.${field.name}`
    const is = stated[key] === undefined ? `has no ${key}` : `has ${key} ${show(stated[key])}`
    const wants = value === undefined ? `no ${key}` : `${key} ${show(value)}`
    return `${place} ${is}, the model ${wants}: ${mendCommand(feature, field, change(stated[key]))}`
  })
}

interface Expected {
  /** The value of the JSON Schema keyword, undefined if the keyword must be absent. */
  readonly value: string | number | boolean | undefined
  /** Returns the change of the field that makes the model state another value. */
  readonly change: (value: unknown) => FieldChange | undefined
}

function expectedOf(field: Field): Readonly<Record<string, Expected>> {
  const bound = (name: 'min' | 'max', value: number | undefined): Expected => ({
    value,
    change: (stated) => (typeof stated === 'number' ? { [name]: stated } : undefined),
  })
  const { kind } = field.type
  const lengths = lengthBounds(field)
  return {
    ...(field.default?.kind !== 'now' && hasPlainDefault(field) && { default: defaultOf(field) }),
    ...((kind === 'string' || kind === 'text') && {
      minLength: bound('min', lengths.min),
      maxLength: bound('max', lengths.max),
    }),
    ...((kind === 'int' || kind === 'uint') && {
      minimum: bound('min', field.min ?? (kind === 'int' ? intRange.min : uintRange.min)),
      maximum: bound('max', field.max ?? intRange.max),
    }),
    ...(kind === 'float' && {
      ...(field.min !== undefined && { minimum: bound('min', field.min) }),
      ...(field.max !== undefined && { maximum: bound('max', field.max) }),
    }),
  }
}

/** Returns false for types whose default has another form in JSON Schema than in the model. */
function hasPlainDefault({ type: { kind }, optional, default: initial }: Field): boolean {
  if (optional && initial === undefined) return false
  return ['string', 'text', 'int', 'uint', 'float', 'bool', 'enum', 'email'].includes(kind)
}

function defaultOf({ default: initial }: Field): Expected {
  return {
    value: initial?.kind === 'literal' ? initial.value : undefined,
    change: (stated) => {
      if (stated === undefined) return withoutDefault
      const isPlain = ['string', 'number', 'boolean'].includes(typeof stated)
      return isPlain
        ? { default: { kind: 'literal', value: stated as string | number | boolean } }
        : undefined
    },
  }
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
