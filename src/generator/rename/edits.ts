/** A replacement of a part of a script, as TypeScript proposes it. */
export interface Edit {
  readonly start: number
  readonly length: number
  readonly text: string
  /** Text that keeps the other name of a shorthand: `{ title }` becomes `{ headline: title }`. */
  readonly prefix?: string | undefined
  readonly suffix?: string | undefined
  /** True for the name of a property with a value: `{ headline: title }` becomes `{ title }`. */
  readonly isKey?: boolean
}

/** Applies edits to a text. Several edits of one place are combined; of edits that contradict, the first wins. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const places = new Map<number, Edit[]>()
  for (const edit of edits) places.set(edit.start, [...(places.get(edit.start) ?? []), edit])
  let result = text
  for (const [start, group] of [...places].sort(([a], [b]) => b - a)) {
    const [first] = group
    if (first === undefined) continue
    const text = combined(group, first)
    const rest = result.slice(start + first.length)
    const isSame = first.isKey && /^: (\w+)(?=\s*[,}=])/.exec(rest)?.[1] === text
    result = result.slice(0, start) + text + (isSame ? rest.slice(2 + text.length) : rest)
  }
  return result
}

/** Combines the rename of a shorthand's property, which has a suffix, with that of its variable, which has a prefix. */
function combined(group: readonly Edit[], first: Edit): string {
  const property = group.find(({ suffix }) => suffix)
  const variable = group.find(({ prefix }) => prefix)
  if (property && variable)
    return property.text === variable.text ? property.text : `${property.text}: ${variable.text}`
  const chosen = property ?? variable ?? first
  return `${chosen.prefix ?? ''}${chosen.text}${chosen.suffix ?? ''}`
}
