/** How one check ended. `details` are lines for a person. */
export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly details: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string }

export const passed: Outcome = { kind: 'passed' }

/** Passed where there is nothing to tell. */
export function failedBy(details: readonly string[]): Outcome {
  return details.length === 0 ? passed : { kind: 'failed', details }
}
