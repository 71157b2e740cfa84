import type { DefaultValue, Feature, Field, Model } from '../model/model.ts'
import { printField } from '../spec/print-field.ts'
import type { Retained } from './retained.ts'

/** The first of two steps: a change that the previous version of the app survives. */
export interface FirstStep {
  readonly model: Model
  /** Adds what the second step completes. */
  readonly retain: (retained: Retained) => Retained
}

/**
 * Returns the first step of a change from one model to another. Columns of dropped fields stay, with a default if they
 * need a value. New required fields are optional until the second step.
 */
export function firstStep(before: Model, wanted: Model): FirstStep {
  const pairs = wanted.features.map((feature) => ({
    feature,
    old: before.features.find(({ entity }) => entity.pascal === feature.entity.pascal),
  }))
  const features = pairs.map(({ feature, old }) => ({
    ...feature,
    fields: feature.fields.map((field) =>
      old && isNewRequired(field, old) ? { ...field, optional: true } : field,
    ),
  }))
  return {
    model: { ...wanted, features },
    retain: (retained) => ({
      ...retained,
      columns: merged(
        retained.columns,
        pairs.map(({ feature, old }) => [
          feature.entity.pascal,
          droppedFields(old, feature).map((field) => printField(withValue(field))),
        ]),
      ),
      required: merged(
        retained.required,
        pairs.map(({ feature, old }) => [
          feature.entity.pascal,
          feature.fields
            .filter((field) => old && isNewRequired(field, old))
            .map(({ name }) => name),
        ]),
      ),
    }),
  }
}

/** Returns the model after the second step: the fields that wait for it are required. */
export function secondStep(model: Model, { required = {} }: Retained): Model {
  const features = model.features.map((feature) => ({
    ...feature,
    fields: feature.fields.map((field) =>
      required[feature.entity.pascal]?.includes(field.name) ? { ...field, optional: false } : field,
    ),
  }))
  return { ...model, features }
}

/** Removes what the second step completes. Retained tables stay. */
export function withoutSecondSteps({ tables }: Retained): Retained {
  return tables === undefined ? {} : { tables }
}

function isNewRequired(field: Field, old: Feature): boolean {
  const isNew = !old.fields.some(({ name }) => name === field.name)
  return isNew && !field.optional && field.default === undefined
}

function droppedFields(old: Feature | undefined, { fields }: Feature): readonly Field[] {
  return (old?.fields ?? []).filter(({ name }) => !fields.some((field) => field.name === name))
}

/** Gives a column a value in records of a version that does not write it. */
function withValue(field: Field): Field {
  if (field.optional || field.default !== undefined) return field
  const value = field.unique || field.references ? undefined : neutralValue(field)
  return value === undefined ? { ...field, optional: true } : { ...field, default: value }
}

/** Returns a value that the previous version can read, undefined if the field's rules refuse it. */
function neutralValue({ type, min = 0, max }: Field): DefaultValue | undefined {
  switch (type.kind) {
    case 'string':
    case 'text':
      return min > 1 ? undefined : literal('-')
    case 'int':
    case 'uint':
    case 'float':
      return literal(min > 0 ? min : Math.min(0, max ?? 0))
    case 'decimal':
      return min > 0 || (max ?? 0) < 0 ? undefined : literal((0).toFixed(type.scale))
    case 'bool':
      return literal(false)
    case 'enum':
      return literal(type.values[0] ?? '')
    case 'date':
    case 'datetime':
      return { kind: 'now' }
    case 'uuid':
      return literal('00000000-0000-4000-8000-000000000000')
    case 'json':
      return literal('{}')
    case 'email':
      return literal('unknown@example.com')
  }
}

function literal(value: string | number | boolean): DefaultValue {
  return { kind: 'literal', value }
}

function merged(
  former: Readonly<Record<string, readonly string[]>> = {},
  added: readonly (readonly [entity: string, values: readonly string[]])[],
): Record<string, string[]> {
  const lists = new Map(Object.entries(former).map(([entity, values]) => [entity, [...values]]))
  for (const [entity, values] of added) {
    if (values.length > 0) lists.set(entity, [...(lists.get(entity) ?? []), ...values])
  }
  return Object.fromEntries(lists)
}
