import type { EntityNames, Field, ManyField, Model } from '../model/model.ts'

/** A name in one spelling, and the same name after a rename. */
export interface NamePair {
  readonly from: string
  readonly to: string
}

/** The names that a rename changes: single words for own texts, and parts of identifiers of the emitted code. */
export interface Spellings {
  /** Complete names, the longest first. */
  readonly words: readonly NamePair[]
  /** Replaces the previous names in a text, also as parts of identifiers. */
  replace(text: string): string
  /** Returns true if `to` is `from` with the previous name replaced by the new one. */
  explains(from: string, to: string): boolean
}

/** Compares two models that match by position. Returns every spelling of the names that differ. */
export function renamedSpellings(before: Model, after: Model): Spellings {
  const words = new Map<string, string>()
  const add = (from: string, to: string) => {
    if (from !== to) words.set(from, to)
  }
  before.features.forEach((feature, i) => {
    const next = after.features[i]
    if (next === undefined) return
    addEntity(feature.entity, next.entity, add)
    feature.fields.forEach((field, k) => {
      addField(field, next.fields[k], add)
    })
    feature.many.forEach((field, k) => {
      addField(field, next.many[k], add)
    })
  })
  const pairs = [...words]
    .map(([from, to]) => ({ from, to }))
    .sort((a, b) => b.from.length - a.from.length)
  const parts = new Map(
    pairs.flatMap(({ from, to }) => [
      [from, to],
      [upper(from), upper(to)],
    ]),
  )
  const longest = [...parts.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longest.join('|') || '(?!)', 'g')
  return {
    words: pairs,
    replace: (text) => text.replace(pattern, (name) => parts.get(name) ?? name),
    explains: (from, to) => canBecome(from, to, parts),
  }
}

type Add = (from: string, to: string) => void

function addEntity(from: EntityNames, to: EntityNames, add: Add): void {
  add(from.type, to.type)
  for (const key of ['pascal', 'camel', 'kebab', 'snake', 'words'] as const) {
    add(from[key], to[key])
    add(from.plural[key], to.plural[key])
  }
}

function addField(from: Field | ManyField, to: Field | ManyField | undefined, add: Add): void {
  if (to === undefined) return
  add(from.name, to.name)
  add(from.camel, to.camel)
  const stem = (name: string) => name.replace(/(_id|Id)$/, '')
  if (from.name.endsWith('_id') && 'references' in from && from.references) {
    add(stem(from.name), stem(to.name))
    add(stem(from.camel), stem(to.camel))
  }
}

function upper(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Tries each replacement at each place: a short name can be a part of a longer one. */
function canBecome(from: string, to: string, parts: ReadonlyMap<string, string>): boolean {
  if (from === to) return true
  if (from === '' || to === '') return false
  for (const [old, next] of parts) {
    if (!from.startsWith(old) || !to.startsWith(next)) continue
    if (canBecome(from.slice(old.length), to.slice(next.length), parts)) return true
  }
  return from.charAt(0) === to.charAt(0) && canBecome(from.slice(1), to.slice(1), parts)
}
