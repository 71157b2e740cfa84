import { stringLength } from '../model/field-limits.ts'
import type { Feature, Field, Model } from '../model/model.ts'

/**
 * Sentences: which fields allow less than before although their column stays as it is. Stored values beyond
 * the new rule are still answered, and can't be sent back.
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
      ? [`${after.entity.plural.snake}.${field.name} ${loss}: rows beyond that stay as they are`]
      : []
  })
}

function lossOf({ type: old, max: oldMax }: Field, { type, max }: Field): string | undefined {
  if (old.kind === 'enum' && type.kind === 'enum') {
    const gone = old.values.filter((value) => !type.values.includes(value))
    return gone.length > 0 ? `no longer allows ${gone.join(', ')}` : undefined
  }
  if (old.kind === 'string' && type.kind === 'string') {
    const [before, after] = [oldMax ?? stringLength.standard, max ?? stringLength.standard]
    return after < before ? `is at most ${after} characters long, not ${before}` : undefined
  }
  if (old.kind === 'decimal' && type.kind === 'decimal') {
    const isNarrower =
      type.scale < old.scale || type.precision - type.scale < old.precision - old.scale
    return isNarrower ? `is a decimal(${type.precision},${type.scale}) from now on` : undefined
  }
  return undefined
}
