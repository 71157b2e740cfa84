import { isPrivate } from '../model/access.ts'
import { printGroup, uniqueGroupsOf } from '../model/field-groups.ts'
import { variableName } from '../model/identifiers.ts'
import type { EntityNames, Feature, Field, Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { type AccessView, accessView } from './access-view.ts'
import { type ClientView, clientView } from './client-view.ts'
import { type DomainView, domainView } from './domain-view.ts'
import { enumConstant, type FieldView, fieldView } from './field-view.ts'
import { type ListView, listView } from './list-view.ts'
import { literal } from './literal.ts'
import { type PrismaView, prismaView } from './prisma-view.ts'
import { type Relations, relationsOf } from './relation-view.ts'
import { type SampleView, sampleView } from './sample-view.ts'
import { type SchemaView, schemaView } from './schema-view.ts'
import { type TableView, tableView } from './table-view.ts'
import { type TestView, testView } from './test-view.ts'

/** Template data of one feature. */
export interface FeatureView
  extends EntityNames,
    AccessView,
    ClientView,
    DomainView,
    ListView,
    Partial<PrismaView>,
    SampleView,
    SchemaView,
    TableView,
    TestView {
  /** Variable name for one record. */
  subject: string
  fields: readonly FieldView[]
  enums: readonly { constant: string; values: string }[]
  /** Column names, quoted and separated by commas. Long names come first, because a name can be a suffix of another. */
  uniqueColumns: string
}

/** A run renders the features of the same model several times. */
const views = new WeakMap<Model, Map<Feature, FeatureView>>()

/** `model` must contain the feature and every entity it refers to. */
export function featureView(model: Model, feature: Feature): FeatureView {
  const known = views.get(model) ?? new Map<Feature, FeatureView>()
  views.set(model, known)
  const view = known.get(feature) ?? createView(model, feature)
  known.set(feature, view)
  return view
}

function createView(model: Model, feature: Feature): FeatureView {
  const { entity } = feature
  const subject = variableName(entity.camel)
  const fields = feature.fields.map((field) => fieldView(field, feature, subject))
  const relations = relationsOf(model, feature)
  const list = listView(model, feature, relations.many)
  const samples = sampleView(model, feature, fields, relations)
  return {
    ...entity,
    ...accessView(model, feature, relations, list.listParameter),
    ...clientView(feature, relations),
    ...domainView(feature, fields, relations, list, isPrivate(model, feature)),
    ...list,
    ...repositoryViews[storeOf(model).adapter](model, feature, relations, list),
    ...samples,
    ...schemaView(model, feature, fields, relations, list),
    ...tableView(model, feature, relations),
    ...testView(model, feature, relations, samples),
    subject,
    fields,
    enums: feature.fields.flatMap((field) => enumView(feature, field)),
    uniqueColumns: uniqueGroupsOf(feature)
      .map(printGroup)
      .sort((a, b) => b.length - a.length)
      .map(literal)
      .join(', '),
  }
}

/** Data of the repository template alone, by the store's adapter. */
const repositoryViews: Record<Store['adapter'], RepositoryView> = {
  prisma: prismaView,
  kysely: () => ({}),
  document: () => ({}),
}

type RepositoryView = (
  model: Model,
  feature: Feature,
  relations: Relations,
  list: ListView,
) => Partial<PrismaView>

function enumView(feature: Feature, field: Field) {
  if (field.type.kind !== 'enum') return []
  return [
    { constant: enumConstant(feature, field), values: field.type.values.map(literal).join(', ') },
  ]
}
