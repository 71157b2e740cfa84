import type { DefaultValue, Field, FieldType, ManyField, Reference } from '../model/model.ts'
import { printBound } from './bounds.ts'
import { printValue } from './field-value.ts'

/** Prints a field for `strata.json`. `parseField` reads an equal field back. */
export function printField(field: Field): string {
  const { type } = field
  return [
    field.name,
    printType(type),
    ...(field.references ? printReference(field.references) : []),
    ...(field.optional ? ['optional'] : []),
    ...(field.unique ? ['unique'] : []),
    ...(field.index ? ['index'] : []),
    ...(field.default === undefined ? [] : [`default=${printDefault(field.default)}`]),
    ...(field.min === undefined ? [] : [`min=${printBound(type, field.min)}`]),
    ...(field.max === undefined ? [] : [`max=${printBound(type, field.max)}`]),
  ].join(':')
}

export function printMany({ name, target }: ManyField): string {
  return `${name}:many(${target})`
}

function printReference({ target, cascade }: Reference): readonly string[] {
  return [`fk(${target})`, ...(cascade ? ['cascade'] : [])]
}

function printType(type: FieldType): string {
  if (type.kind === 'decimal') return `decimal(${type.precision},${type.scale})`
  if (type.kind === 'enum') return `enum(${type.values.join('|')})`
  return type.kind
}

function printDefault(value: DefaultValue): string {
  return value.kind === 'now' ? 'now' : printValue(String(value.value))
}
