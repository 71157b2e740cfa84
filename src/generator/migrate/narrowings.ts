import { stringLength } from '../model/field-limits.ts'
import type { Feature, Field, Model } from '../model/model.ts'

/**
 * Returns a sentence for each field that allows fewer values although its column does not change. Responses still
 * contain stored values outside the new rule; requests with such values are refused.
 */
export function narrowings(from: Model, to: Model): readonly string[] {
  return to.features.flatMap((feature) => {
    const before = from.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    return before ? narrowedFields(before, feature) : []
  })
}

function narrowedFields(before: Feature, after: Feature): readonly string[] {
  return after.fields.flatMap((field) => {
    const old = before.fields.find(({ name }) => name === field.name)
    const loss = old && lossOf(old, field)
    return loss
      ? [
          `${after.entity.plural.snake}.${field.name} ${loss}: stored values outside this rule stay unchanged`,
        ]
      : []
  })
}

function lossOf({ type: old, max: oldMax }: Field, { type, max }: Field): string | undefined {
  if (old.kind === 'enum' && type.kind === 'enum') {
    const removed = old.values.filter((value) => !type.values.includes(value))
    return removed.length > 0 ? `no longer allows ${removed.join(', ')}` : undefined
  }
  if (old.kind === 'string' && type.kind === 'string') {
    const [before, after] = [oldMax ?? stringLength.standard, max ?? stringLength.standard]
    return after < before ? `allows at most ${after} characters, not ${before}` : undefined
  }
  if (old.kind === 'decimal' && type.kind === 'decimal') {
    const isNarrower =
      type.scale < old.scale || type.precision - type.scale < old.precision - old.scale
    return isNarrower ? `becomes decimal(${type.precision},${type.scale})` : undefined
  }
  return undefined
}
