/** The result of one check. `details` and `notes` are lines of text for the user. */
export type Outcome =
  | { readonly kind: 'passed'; readonly notes?: readonly string[] }
  | { readonly kind: 'failed'; readonly details: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string }

export const passed: Outcome = { kind: 'passed' }

/** Returns `passed` without faults, otherwise `failed` with one line per fault. */
export function outcomeOf(faults: readonly string[]): Outcome {
  return faults.length === 0 ? passed : { kind: 'failed', details: faults }
}
