import { StrataError } from '../errors.ts'
import type { EntityNames, Feature } from './model.ts'
import { prismaNames } from './prisma-names.ts'
import { schemaNames } from './sql-names.ts'

/**
 * Throws `usage` if two features can't be in one project: their names differ only by case, or they
 * share a plural, a type, a schema of openapi.json, a name that Prisma derives, a table or an index.
 */
export function assertNoClash(feature: Feature, other: Feature): void {
  for (const clash of [caseClash, pluralClash, typeClash, apiClash, prismaClash, schemaClash]) {
    const message = clash(feature, other)
    if (message !== undefined) throw new StrataError('usage', message)
  }
}

type Clash = (feature: Feature, other: Feature) => string | undefined

const caseClash: Clash = ({ entity }, { entity: other }) =>
  entity.pascal.toLowerCase() === other.pascal.toLowerCase()
    ? `${entity.pascal} differs from the existing ${other.pascal} only by case: choose another name`
    : undefined

const pluralClash: Clash = ({ entity }, { entity: other }) =>
  entity.plural.snake === other.plural.snake
    ? `${entity.pascal} and the existing ${other.pascal} share the plural ${entity.plural.kebab}: choose another plural for ${entity.pascal} with --plural`
    : undefined

const typeClash: Clash = ({ entity }, { entity: other }) =>
  entity.type === other.type
    ? `${entity.pascal} and the existing ${other.pascal} share the type ${entity.type}: choose another name`
    : undefined

const apiClash: Clash = ({ entity }, { entity: other }) => {
  const shared = first(apiNames(entity), new Set(apiNames(other)))
  return (
    shared &&
    `${entity.pascal} and the existing ${other.pascal} both need the name ${shared} in openapi.json: choose another name`
  )
}

/** Returns the schemas of one entity in openapi.json (`crudDoc` in the emitted src/http/crud-doc.ts). */
function apiNames({ pascal }: EntityNames): readonly string[] {
  const derived = ['Details', 'List', 'Summary'].map((suffix) => pascal + suffix)
  return [pascal, ...derived, `Create${pascal}Body`, `Update${pascal}Body`]
}

const prismaClash: Clash = ({ entity }, { entity: other }) => {
  const taken = prismaNames(other.type)
  const own = prismaNames(entity.type)
  const shared = taken.has(entity.type) ? entity.type : first([other.type, ...taken], own)
  return (
    shared &&
    `${entity.pascal} clashes with the existing ${other.pascal}: Prisma needs the name ${shared} for both, choose another name`
  )
}

const schemaClash: Clash = (feature, other) => {
  const shared = first(schemaNames(feature), new Set(schemaNames(other)))
  return (
    shared &&
    `${feature.entity.pascal} and the existing ${other.entity.pascal} both need a table or index ${shared}: choose another name, or another plural with --plural`
  )
}

function first(names: Iterable<string>, taken: ReadonlySet<string>): string | undefined {
  return [...names].find((name) => taken.has(name))
}
