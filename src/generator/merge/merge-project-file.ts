type Json = Readonly<Record<string, unknown>>

/** Three texts of `strata.json`: of the common commit, of this branch and of the merged branch. */
export interface ProjectFiles {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  /** A text in which a person has decided the conflicts. */
  readonly decided?: string
}

/**
 * A merged `strata.json`. A conflict is a line that names the place and both values; `text` takes the value of this branch,
 * or of the merged one if `decided` has that.
 */
export interface MergedProjectFile {
  readonly text: string
  readonly conflicts: readonly string[]
}

/**
 * Merges three valid texts of `strata.json` by meaning: settings by key, features by entity, fields by name. Both branches may
 * add fields to the same entity.
 */
export function mergeProjectFiles(files: ProjectFiles): MergedProjectFile {
  const { base, ours, theirs, decided = ours } = files
  const read = (text: string): Json => JSON.parse(text.replace(/^\uFEFF/, ''))
  const versions = [read(base), read(ours), read(theirs), read(decided)] as const
  const conflicts: string[] = []
  const merged = mergeObjects(versions, '', conflicts)
  return { text: `${JSON.stringify(merged, null, 2)}\n`, conflicts }
}

type Versions<Value> = readonly [base: Value, ours: Value, theirs: Value, decided: Value]

function mergeObjects(
  [base, ours, theirs, decided]: Versions<Json>,
  path: string,
  conflicts: string[],
): Json {
  const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)])
  const entries = [...keys].flatMap((key) => {
    const place = path === '' ? key : `${path}.${key}`
    const versions = [base[key], ours[key], theirs[key], decided[key]] as const
    const value = mergeValue(versions, place, conflicts)
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

function mergeValue(versions: Versions<unknown>, place: string, conflicts: string[]): unknown {
  const [base, ours, theirs, decided] = versions
  if (isSame(ours, theirs) || isSame(base, theirs)) return ours
  if (isSame(base, ours)) return theirs
  if (isObject(ours) && isObject(theirs) && (base === undefined || isObject(base)))
    return mergeObjects(
      [base ?? {}, ours, theirs, isObject(decided) ? decided : ours],
      place,
      conflicts,
    )
  if (place.endsWith('.fields') && isFields(ours) && isFields(theirs))
    return mergeFields(
      [isFields(base) ? base : [], ours, theirs, isFields(decided) ? decided : ours],
      place,
      conflicts,
    )
  conflicts.push(describe(place, ours, theirs))
  return isSame(decided, theirs) ? theirs : ours
}

/** Merges lists of fields by name, in the order of this branch. New fields of the other branch follow. */
function mergeFields(
  [base, ours, theirs, decided]: Versions<readonly string[]>,
  place: string,
  conflicts: string[],
): readonly string[] {
  const names = new Set([...ours, ...theirs].map(nameOf))
  const entity = place.split('.').at(-2)
  return [...names].flatMap((name) => {
    const find = (fields: readonly string[]) => fields.find((field) => nameOf(field) === name)
    const [before, mine, other] = [find(base), find(ours), find(theirs)]
    if (mine === other || before === other) return mine ?? []
    if (before === mine) return other ?? []
    conflicts.push(describe(`${entity}.${name}`, mine, other))
    return (find(decided) === other ? other : mine) ?? []
  })
}

function describe(place: string, ours: unknown, theirs: unknown): string {
  const show = (value: unknown) => (value === undefined ? 'removed' : JSON.stringify(value))
  return `${place.replace(/^features\./, '')}: this branch says ${show(ours)}, the merged one ${show(theirs)}`
}

function nameOf(field: string): string {
  return field.split(':', 1)[0] ?? field
}

function isFields(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
