import { StrataError } from '../errors.ts'
import type { EntityNames, Feature } from './model.ts'
import { prismaNames } from './prisma-names.ts'
import { schemaNames } from './sql-names.ts'

/**
 * Throws `usage` if two features can't be in one project: their names differ only by case, or they
 * share a plural, a path, a type, a schema of openapi.json, a name that Prisma derives, a table or an index.
 */
export function assertNoClash(feature: Feature, other: Feature): void {
  for (const clash of [
    caseClash,
    pluralClash,
    pathClash,
    typeClash,
    apiClash,
    prismaClash,
    schemaClash,
  ]) {
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
    ? `${entity.pascal} and the existing ${other.pascal} share the plural ${entity.plural.kebab}: choose another plural for ${entity.pascal} with --plural, or with "plural" in strata.json`
    : undefined

const pathClash: Clash = (feature, other) => {
  // The plurals differ: see pluralClash.
  if (feature.aliases === undefined && other.aliases === undefined) return undefined
  const paths = [feature, other].map(({ entity, aliases = [] }) => [
    entity.plural.kebab,
    ...aliases,
  ])
  const shared = paths[0]?.find((path) => paths[1]?.includes(path))
  if (shared === undefined) return undefined
  const owner = other.aliases?.includes(shared) ? other : feature
  return `${feature.entity.pascal} and the existing ${other.entity.pascal} both need the path ${shared}: remove the alias with strata feature ${owner.entity.pascal} --alias none, or choose another plural with --plural`
}

const typeClash: Clash = ({ entity }, { entity: other }) =>
  entity.type === other.type
    ? `${entity.pascal} and the existing ${other.pascal} share the type ${entity.type}: choose another name`
    : undefined

const apiClash: Clash = (feature, other) => {
  const shared = first(namesOf(feature).api, namesOf(other).api)
  return (
    shared &&
    `${feature.entity.pascal} and the existing ${other.entity.pascal} both need the name ${shared} in openapi.json: choose another name`
  )
}

const prismaClash: Clash = (feature, other) => {
  const [own, taken] = [namesOf(feature).prisma, namesOf(other).prisma]
  const [type, otherType] = [feature.entity.type, other.entity.type]
  const shared = taken.has(type) ? type : own.has(otherType) ? otherType : first(taken, own)
  return (
    shared &&
    `${feature.entity.pascal} clashes with the existing ${other.entity.pascal}: Prisma needs the name ${shared} for both, choose another name`
  )
}

const schemaClash: Clash = (feature, other) => {
  const shared = first(namesOf(feature).schema, namesOf(other).schema)
  return (
    shared &&
    `${feature.entity.pascal} and the existing ${other.entity.pascal} both need a table or index ${shared}: choose another name, or another plural with --plural`
  )
}

/** The names that a feature needs for itself. */
interface Names {
  readonly api: ReadonlySet<string>
  readonly prisma: ReadonlySet<string>
  readonly schema: ReadonlySet<string>
}

/** Each feature is compared with all others, so its names are computed once. */
const known = new WeakMap<Feature, Names>()

function namesOf(feature: Feature): Names {
  const found = known.get(feature)
  if (found) return found
  const { entity } = feature
  const names = {
    api: new Set(apiNames(entity)),
    prisma: prismaNames(entity.type),
    schema: new Set(schemaNames(feature)),
  }
  known.set(feature, names)
  return names
}

/** Returns the schemas of one entity in openapi.json (`docOf` in the emitted src/http/crud-doc.ts). */
function apiNames({ pascal }: EntityNames): readonly string[] {
  const derived = ['Details', 'List', 'Summary'].map((suffix) => pascal + suffix)
  return [pascal, ...derived, `Create${pascal}Body`, `Update${pascal}Body`]
}

function first(names: Iterable<string>, taken: ReadonlySet<string>): string | undefined {
  for (const name of names) if (taken.has(name)) return name
  return undefined
}
