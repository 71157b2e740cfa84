import { StrataError } from '../../generator/errors.ts'
import { withoutFeature } from '../../generator/model/build.ts'
import type { Model } from '../../generator/model/model.ts'
import { entityNames } from '../../generator/model/names.ts'
import { didYouMean } from '../../generator/spec/nearest.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { requireWrittenModel } from './written-model.ts'

/** `strata remove`: removes a feature and its table from the project around the working directory. */
export async function remove(entity: string, options: ChangeOptions): Promise<void> {
  const { pascal } = entityNames(entity)
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [pascal])
    refuseMissing(before, pascal)
    return { before, after: withoutFeature(before, pascal), requested: [], allowDestructive: true }
  })
  printChange(changed, options, {
    nothing: `there is no ${pascal}`,
    heading: (verb) => (verb === 'wrote' ? `removed ${pascal}` : `would remove ${pascal}`),
  })
}

function refuseMissing({ auth, features }: Model, pascal: string): void {
  const names = features.map(({ entity }) => entity.pascal)
  if (names.includes(pascal)) return
  if (auth && pascal === 'User') {
    throw new StrataError('usage', 'User is part of --auth and cannot be removed')
  }
  throw new StrataError(
    'usage',
    `there is no feature ${pascal}:${didYouMean(pascal, names)} the features are ${names.join(', ') || 'none yet'}`,
  )
}
