import type { SourceMutant } from '../support/mutant-copy.ts'

/** Broken versions of `examples/user-app`: each must be noticed by the suite. */
export const userAppMutants: readonly SourceMutant[] = []
