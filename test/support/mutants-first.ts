import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Begins with the files of mutants, which take longest: of files that it has not run before, as after `npm ci`,
 * Vitest takes the larger first, and theirs are small.
 */
export class MutantsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = sorted.filter(isOfMutants)
    return [...first, ...sorted.filter((file) => !isOfMutants(file))]
  }
}

function isOfMutants({ moduleId }: TestSpecification): boolean {
  return /mutants(\.slow)?\.test\.ts$/.test(moduleId)
}
