import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the mutant suites first, because they take longest. After `npm ci` Vitest knows no durations and starts with
 * the largest files, and the files of the mutant suites are small.
 */
export class MutantsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = sorted.filter(isOfMutants)
    return [...first, ...sorted.filter((file) => !isOfMutants(file))]
  }
}

function isOfMutants({ moduleId }: TestSpecification): boolean {
  return /mutants(\.full)?\.test\.ts$/.test(moduleId)
}
