import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { type Merged, showHunk, type Texts } from './merge.ts'

/** A value that the generator changed. `undefined` removes the key. */
interface Change {
  readonly path: JSONPath
  readonly value: unknown
  /** The keys of the object in the generated order, to place a new key. */
  readonly order: readonly string[]
}

/**
 * Merges three versions of a JSON file by key, with comments. Lists of plain values are merged as sets. Returns
 * `undefined` if a version is not JSON.
 */
export function mergeJson({ base, disk, next }: Texts): Merged | undefined {
  const [before, yours, ours] = [parsed(base), parsed(disk), parsed(next)]
  if (before === undefined || yours === undefined || ours === undefined) return undefined
  const changes: Change[] = []
  const conflicts: (Change & { yours: unknown })[] = []
  collect([before, yours, ours], [], [], changes, conflicts)
  const mine = applyChanges(disk, changes)
  return {
    hunks: conflicts.map(({ path, yours, value }) =>
      showHunk(show(path, yours), show(path, value)),
    ),
    mine,
    theirs: applyChanges(mine, conflicts),
  }
}

function parsed(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  return errors.length > 0 ? undefined : value
}

function collect(
  [base, disk, next]: readonly [base: unknown, disk: unknown, next: unknown],
  path: JSONPath,
  order: readonly string[],
  changes: Change[],
  conflicts: (Change & { yours: unknown })[],
): void {
  if (isEqual(disk, next) || isEqual(base, next)) return
  if (isObject(disk) && isObject(next) && (base === undefined || isObject(base))) {
    const keys = Object.keys(next)
    for (const key of new Set([...keys, ...Object.keys(base ?? {})])) {
      const values = [base?.[key], disk[key], next[key]] as const
      collect(values, [...path, key], keys, changes, conflicts)
    }
  } else if (isEqual(base, disk)) changes.push({ path, value: next, order })
  else if (isPlainList(disk) && isPlainList(next) && isPlainList(base ?? [])) {
    const list = mergeLists(isPlainList(base) ? base : [], disk, next)
    if (!isEqual(list, disk)) changes.push({ path, value: list, order })
  } else conflicts.push({ path, value: next, order, yours: disk })
}

/** Removes from the person's list what the generator removed, and adds what it added. */
function mergeLists(base: readonly unknown[], disk: readonly unknown[], next: readonly unknown[]) {
  return [
    ...disk.filter((item) => !base.includes(item) || next.includes(item)),
    ...next.filter((item) => !base.includes(item) && !disk.includes(item)),
  ]
}

function applyChanges(text: string, changes: readonly Change[]): string {
  const tabs = /^\t/m.test(text)
  const tabSize = /^( +)\S/m.exec(text)?.[1]?.length ?? 2
  const formattingOptions = { insertSpaces: !tabs, tabSize, eol: '\n' }
  return changes.reduce(
    (current, { path, value, order }) =>
      applyEdits(
        current,
        modify(current, path, value, {
          formattingOptions,
          getInsertionIndex: (present) => {
            const before = order.slice(0, order.indexOf(String(path.at(-1))))
            return present.findLastIndex((key) => before.includes(key)) + 1
          },
        }),
      ),
    text,
  )
}

function show(path: JSONPath, value: unknown): string {
  return `${path.join('.')}: ${value === undefined ? '(removed)' : JSON.stringify(value)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
