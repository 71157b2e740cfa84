import fc from 'fast-check'
import { StrataError } from '../../../../src/generator/errors.ts'
import { createFeature, withFeature } from '../../../../src/generator/model/build.ts'
import { type FieldKind, fieldKinds } from '../../../../src/generator/model/field-kinds.ts'
import type { Feature, Field, Model } from '../../../../src/generator/model/model.ts'
import { entityNames } from '../../../../src/generator/model/names.ts'
import type { StoreKind } from '../../../../src/generator/model/store-kinds.ts'
import { parseFieldArgs } from '../../../../src/generator/spec/field-list.ts'
import { storeOf } from '../../../../src/generator/stores/stores.ts'
import { treacherousEntities, treacherousFields } from './names.ts'
import { typeText } from './type-text.ts'

/** Generates valid features with names and defaults that are likely to break a file. */
export function features(): fc.Arbitrary<Feature> {
  return fc
    .record({ entity: entities(), fields: fieldLists() })
    .map(({ entity, fields }) =>
      legal(() => createFeature({ entity: entityNames(entity), fields })),
    )
    .filter((feature) => feature !== undefined)
}

/** Generates models of at most `count` features. Omits features that clash or that the store can't hold. */
export function models(database: StoreKind, count: number): fc.Arbitrary<Model> {
  const empty: Model = { name: 'shop', module: 'shop', database, auth: false, features: [] }
  return fc
    .array(features(), { minLength: count, maxLength: count })
    .map((all) => all.reduce((model, feature) => added(model, feature) ?? model, empty))
}

function added(model: Model, feature: Feature): Model | undefined {
  return legal(() => {
    const next = withFeature(model, feature)
    storeOf(model.database).files(next)
    return next
  })
}

/** Generates names in any accepted spelling. */
function entities(): fc.Arbitrary<string> {
  const word = fc.stringMatching(/^[A-Z][a-z]{0,7}[0-9]{0,2}$/)
  return fc.oneof(
    fc.constantFrom(...treacherousEntities),
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('')),
  )
}

function fieldLists(): fc.Arbitrary<Field[]> {
  const name = fc.oneof(
    fc.constantFrom(...treacherousFields),
    fc.stringMatching(/^[a-z][a-z0-9]{0,6}(_[a-z0-9]{1,8}){0,3}$/),
  )
  const text = fc
    .tuple(name, fc.constantFrom<FieldKind>(...fieldKinds).chain(typeText))
    .map((parts) => parts.join(':'))
  return fc
    .array(text, { minLength: 1, maxLength: 8 })
    .map(withoutFaults)
    .filter((fields) => fields.length > 0)
}

/** Returns the first valid field of each name. */
function withoutFaults(texts: readonly string[]): Field[] {
  const fields = texts.flatMap((text) => legal(() => parseFieldArgs([text]).fields) ?? [])
  return fields.filter(({ camel }, i) => fields.findIndex((one) => one.camel === camel) === i)
}

/** Returns the result of `make`, or undefined if it refuses. */
function legal<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof StrataError) return undefined
    throw error
  }
}
