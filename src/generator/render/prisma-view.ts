import { accessOf } from '../model/access.ts'
import { uniqueGroupsOf } from '../model/field-groups.ts'
import { enumFiltersOf, filterFieldsOf, rangeFieldsOf, sortFieldsOf } from '../model/list-fields.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { relationName, searchColumn } from '../model/relations.ts'
import { storeOf } from '../stores/stores.ts'
import { keyType } from './domain-view.ts'
import { camelOf, type ListView } from './list-view.ts'
import { literal } from './literal.ts'
import { byName } from './order.ts'
import { detailParts, isEmpty, type ReadArgs, readArgs } from './prisma-args.ts'
import {
  detailConversions,
  type RowConversion,
  readHelpers,
  rowConversions,
  type WrittenColumn,
  writtenColumns,
} from './prisma-conversions.ts'
import type { Relations } from './relation-view.ts'

/** Data of the repository template of the relational kinds. Its code is in `templates/partials/prisma/`. */
export interface PrismaView {
  /** The client's property of the model: `prisma.<accessor>`. */
  accessor: string
  /** Names to import from the domain, from the generated client, and from `prisma.ts`. */
  domainTypes: readonly string[]
  clientTypes: readonly string[]
  repositoryHelpers: readonly string[]
  /** Prisma's arguments for reading any record, and a single one. Undefined if all columns suffice. */
  recordArgs: ReadArgs | undefined
  detailsArgs: DetailsArgs | undefined
  /** Columns and relations whose written value differs in form from the draft. */
  changesData: boolean
  writtenColumns: readonly WrittenColumn[]
  links: readonly Link[]
  foreignKeys: readonly ForeignKey[]
  hasReferences: boolean
  writesAreSerial: boolean
  /** The second argument of `run`: the constant `unique`, `[]` if another argument follows, or ''. */
  uniqueArgument: '' | 'unique' | '[]'
  /** Conditions of the list: fields compared with the filter, and columns searched for its text. */
  filterFields: readonly string[]
  /** Ranges of days. */
  dayFilters: readonly string[]
  /** The last argument of `pageOf`, with a leading comma, or ''. */
  sortColumns: string
  searchColumns: readonly string[]
  /** Prisma's `select` of the owner's id, and the property of the selected row; '' without an owner. */
  ownerSelect: string
  ownerRead: string
  /** Conditions on the users who may see a record. */
  viewerConditions: readonly string[]
  /** Flag for the function `toDomain`, and the function that `find` calls. */
  hasToDomain: boolean
  findConversion: '' | 'toDomain' | 'toDetails'
  /** The parameter type of `toDomain`. */
  rowType: string
  rowConversions: readonly RowConversion[]
  /** Lists of parts of a single record, and the numbers of their records. */
  listConversions: readonly RowConversion[]
  totals: readonly Total[]
}

interface DetailsArgs extends Pick<ReadArgs, 'parts'> {
  readonly extendsRecordArgs: boolean
  readonly extendsInclude: boolean
}

interface Total {
  readonly camel: string
  /** The property with the newest parts. */
  readonly list: string
  readonly accessor: string
  /** The foreign key of the parts. */
  readonly key: string
}

interface ForeignKey {
  readonly camel: string
  readonly tsType: string
  /** Name in messages of a record of the target. */
  readonly words: string
  readonly accessor: string
}

interface Link {
  readonly name: string
  readonly camel: string
  readonly key: 'id' | 'slug'
  readonly keyType: string
  /** The property of the list's filter. */
  readonly filter: string
  readonly accessor: string
}

export function prismaView(
  model: Model,
  feature: Feature,
  relations: Relations,
  list: ListView,
): PrismaView {
  const { type, pascal } = feature.entity
  const { forward, many, children } = relations
  const recordArgs = readArgs(model, feature, relations)
  const hasRecordArgs = !isEmpty(recordArgs)
  const parts = detailParts(model, relations)
  const row = { row: 'row', recordType: type }
  const conversions = rowConversions(model, feature, relations, row)
  const lists = detailConversions(model, relations, { ...row, recordType: `${pascal}Details` })
  const hasToDomain = conversions.length > 0
  const hasParts = children.length > 0
  const written = writtenColumns(feature)
  const hasUnique = uniqueGroupsOf(feature).length > 0
  const hasReferences = forward.length > 0 || many.length > 0
  const ranges = rangeFieldsOf(model, feature)
  const dayFilters = ranges.filter(({ type }) => type.kind === 'date')
  const isFiltered = list.filters.length > 0
  const { owner = [], viewers } = accessOf(model, feature)
  return {
    accessor: accessorOf(feature),
    domainTypes: [
      type,
      ...(hasParts ? [`${pascal}Details`] : []),
      ...(isFiltered ? [`${pascal}Filter`] : []),
    ],
    clientTypes: ['Prisma', ...(hasToDomain && !hasRecordArgs ? [`${type} as Row`] : [])],
    repositoryHelpers: unique([
      ...['listingOf', 'pageOf', 'run', 'runOnExisting'],
      ...readHelpers([...conversions, ...lists]),
      ...written.map(({ helper }) => helper),
      ...(forward.length > 0 ? ['assertFound'] : []),
      ...(many.length > 0 ? ['assertKnown'] : []),
      ...(feature.search.length > 0 ? ['containing'] : []),
      ...(dayFilters.length > 0 ? ['toDays'] : []),
    ]),
    recordArgs: hasRecordArgs ? recordArgs : undefined,
    detailsArgs:
      parts.length > 0
        ? { parts, extendsRecordArgs: hasRecordArgs, extendsInclude: recordArgs.hasInclude }
        : undefined,
    changesData: written.length > 0 || many.length > 0,
    writtenColumns: written,
    links: many.map(({ field: { name, camel }, target, key, filter }) => ({
      ...{ name, camel, key, keyType: keyType[key] },
      filter: camelOf(filter),
      accessor: accessorOf(target),
    })),
    foreignKeys: forward.map(({ field: { camel, optional }, target }) => ({
      camel,
      tsType: optional ? 'number | null' : 'number',
      words: target.entity.words,
      accessor: accessorOf(target),
    })),
    hasReferences,
    writesAreSerial: storeOf(model.database).writesAreSerial,
    uniqueArgument: hasUnique ? 'unique' : hasReferences ? '[]' : '',
    filterFields: [
      ...filterFieldsOf(feature),
      ...enumFiltersOf(model, feature),
      ...ranges.filter(({ type }) => type.kind !== 'date'),
    ].map(({ camel }) => camel),
    dayFilters: dayFilters.map(({ camel }) => camel),
    sortColumns: sortColumns(feature),
    searchColumns: feature.fields
      .filter(({ name }) => feature.search.includes(name))
      .map((field) => searchColumn(field).camel),
    ownerSelect: owner.length > 0 ? selectOf(owner) : '',
    ownerRead: owner.map(camelIn(owner)).join('.'),
    viewerConditions: viewers.map((path) => conditionOf(path)),
    hasToDomain,
    findConversion: hasParts ? 'toDetails' : hasToDomain ? 'toDomain' : '',
    rowType: hasRecordArgs ? `Prisma.${type}GetPayload<typeof recordArgs>` : 'Row',
    rowConversions: conversions,
    listConversions: lists,
    totals: children.map(({ camel, child, by, total }) => ({
      camel: total.camel,
      list: camel,
      accessor: accessorOf(child),
      key: by.field.camel,
    })),
  }
}

function sortColumns(feature: Feature): string {
  const fields = sortFieldsOf(feature)
  const lists = [
    ['nullable', fields.filter(({ optional }) => optional)],
    ['days', fields.filter(({ type }) => type.kind === 'date')],
  ] as const
  const members = lists
    .filter(([, columns]) => columns.length > 0)
    .map(([name, columns]) => `${name}: [${columns.map(({ camel }) => literal(camel)).join(', ')}]`)
  return members.length > 0 ? `, { ${members.join(', ')} }` : ''
}

/** Returns `order: { select: { customerId: true } }` for a path of foreign keys. */
function selectOf([key, ...rest]: readonly Field[]): string {
  if (key === undefined) return ''
  if (rest.length === 0) return `${key.camel}: true`
  return `${relationName(key).camel}: { select: { ${selectOf(rest)} } }`
}

/** Returns `{ order: { customerId: filter.visibleTo } }` for a path of foreign keys. */
function conditionOf([key, ...rest]: readonly Field[]): string {
  if (key === undefined) return ''
  if (rest.length === 0) return `{ ${key.camel}: filter.visibleTo }`
  return `{ ${relationName(key).camel}: ${conditionOf(rest)} }`
}

/** Returns the property of each key in a row: the relation, or the last key itself. */
function camelIn(path: readonly Field[]) {
  return (key: Field, index: number) =>
    index < path.length - 1 ? relationName(key).camel : key.camel
}

/** Prisma's name of a model in the client. */
function accessorOf({ entity: { type } }: Feature): string {
  return type.charAt(0).toLowerCase() + type.slice(1)
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(byName)
}
