import type { Trees } from './layout.ts'

/** A path whose emitted text differs from the stored text, identically in all `cases`. */
export interface Difference {
  readonly path: string
  readonly cases: readonly string[]
  /** `undefined` if the file is stored but not emitted. */
  readonly emitted: string | undefined
  /** `undefined` if the file is emitted but not stored. */
  readonly stored: string | undefined
}

export function differences(emittedTrees: Trees, storedTrees: Trees): Difference[] {
  const found = new Map<string, Difference>()
  for (const [name, emittedTree] of emittedTrees) {
    const storedTree = storedTrees.get(name) ?? new Map<string, string>()
    for (const path of new Set([...emittedTree.keys(), ...storedTree.keys()])) {
      const [emitted, stored] = [emittedTree.get(path), storedTree.get(path)]
      if (emitted === stored) continue
      const key = JSON.stringify([path, emitted ?? null, stored ?? null])
      const cases = [...(found.get(key)?.cases ?? []), name]
      found.set(key, { path, cases, emitted, stored })
    }
  }
  return [...found.values()]
}
