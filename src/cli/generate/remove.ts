import { StrataError } from '../../generator/errors.ts'
import { withoutFeature } from '../../generator/model/build.ts'
import type { Model } from '../../generator/model/model.ts'
import { entityNames } from '../../generator/model/names.ts'
import { danglingUses } from '../../generator/plan/dangling-uses.ts'
import { readRetained, retainTables, withoutTable } from '../../generator/plan/retained.ts'
import { didYouMean } from '../../generator/spec/nearest.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import { type ChangeOptions, changeProject, printChange } from './change-project.ts'
import { requireWrittenModel } from './written-model.ts'

/**
 * `strata remove`: removes a feature from the project around the working directory. Its table stays in the database,
 * with its rows, unless `--allow-destructive` is given.
 */
export async function remove(entity: string, options: ChangeOptions): Promise<void> {
  const { pascal } = entityNames(entity)
  const drops = options.allowDestructive === true
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [pascal])
    const { tables = {} } = readRetained(project.readFile)
    if (!(drops && pascal in tables)) refuseMissing(before, pascal)
    const feature = before.features.filter((each) => each.entity.pascal === pascal)
    return {
      before,
      after: withoutFeature(before, pascal),
      requested: [],
      subject: 'remove',
      retain: (retained) =>
        drops ? withoutTable(retained, pascal) : retainTables(retained, before, feature),
      completePlan: (plan) => {
        const plural = feature[0]?.entity.plural.camel
        if (plural === undefined) return plan
        const notes = danglingUses(plan, project.listTexts(), project.readFile, plural)
        return notes.length > 0 ? { ...plan, notes } : plan
      },
    }
  })
  printChange(changed, options, {
    nothing: `there is no ${pascal}`,
    heading: (verb) => (verb === 'wrote' ? `removed ${pascal}` : `would remove ${pascal}`),
    after: [
      ...(drops ? [] : keptLines(changed.before, pascal)),
      ...danglingLines(changed.plan.notes ?? []),
    ],
  })
}

function danglingLines(notes: readonly string[]): readonly string[] {
  return notes.length === 0
    ? []
    : [
        '',
        'The project does not compile until you change these uses of removed code:',
        ...notes.map((note) => `  ${note}`),
      ]
}

function keptLines(model: Model, pascal: string): readonly string[] {
  const table = model.features.find(({ entity }) => entity.pascal === pascal)?.entity.plural.snake
  return storeOf(model).losses === undefined
    ? [
        '',
        `Table ${table} stays in the database with its rows. To drop both: strata remove ${pascal} --allow-destructive`,
      ]
    : ['', `The records of ${table} stay in the store.`]
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
