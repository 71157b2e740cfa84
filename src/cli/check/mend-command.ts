import type { Feature, Field } from '../../generator/model/model.ts'
import { printField, printMany } from '../../generator/spec/print-field.ts'

/** New properties of a field, or the removal of its default. */
export type FieldChange = Partial<Field> | typeof withoutDefault

export const withoutDefault = 'without default'

/**
 * Returns the advice that makes model and code agree: the command that takes the value of the code into the model, or to
 * restore the code if the model can't state that value.
 */
export function mendCommand(
  feature: Feature,
  field: Field,
  change: FieldChange | undefined,
): string {
  if (change === undefined) return 'restore the value of the model'
  const fields = feature.fields.map((each) =>
    printField(each.name === field.name ? changed(each, change) : each),
  )
  const args = [...fields, ...feature.many.map(printMany)].map(quoted)
  return `restore it, or take it into the model with strata feature ${feature.entity.pascal} ${args.join(' ')}`
}

function changed({ default: initial, ...rest }: Field, change: FieldChange): Field {
  if (change === withoutDefault) return rest
  return { ...rest, ...(initial && { default: initial }), ...change }
}

/** Quotes an argument that a POSIX shell would change. */
function quoted(argument: string): string {
  if (/^[\w:=.,/@%+-]+$/.test(argument)) return argument
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
