import { renameInModel } from '../../generator/model/rename.ts'
import { parseRename } from '../../generator/spec/rename.ts'
import { storeOf } from '../../generator/stores/stores.ts'
import {
  type ChangeOptions,
  type ChangeResult,
  changeProject,
  printChange,
} from './change-project.ts'
import { changesNothing } from './show-plan.ts'
import { requireWrittenModel } from './written-model.ts'

export interface RenameOptions extends ChangeOptions {
  plural?: string
  alias?: boolean
}

/** `strata rename`: renames an entity or a field in the project around the working directory. */
export async function rename(from: string, to: string, options: RenameOptions): Promise<void> {
  const changed = await changeProject(options, (project, declared) => {
    const before = requireWrittenModel(project, declared, [])
    const request = parseRename(before, from, to, {
      plural: options.plural,
      alias: options.alias,
    })
    if (request === undefined) return { before, after: before, requested: [] }
    return {
      before,
      after: renameInModel(before, request),
      requested: [],
      isRename: true,
      subject: 'rename',
    }
  })
  const { plan } = changed
  const notes = plan.notes ?? []
  const hasMigration = plan.actions.some(({ path }) => path.endsWith('/migration.sql'))
  printChange(changed, options, {
    nothing: `${from} is already named ${to}`,
    heading: (verb) =>
      verb === 'wrote' ? `renamed ${from} to ${to}` : `would rename ${from} to ${to}`,
    after: changesNothing(plan)
      ? []
      : [
          ...(hasMigration
            ? [
                '',
                'The migration keeps every row. The previous version of the app does not run on the renamed database:',
                'stop the previous version before the new one starts.',
              ]
            : []),
          ...aliasLines(changed, options),
          ...(appRenames(changed) ? ['', ...appRenameLines] : []),
          ...(notes.length > 0
            ? ['', 'These places contain the previous name and were not changed:', ...shown(notes)]
            : []),
        ],
  })
}

/** Tells which paths the app serves after a rename with `--alias`. */
function aliasLines({ before, after }: ChangeResult, { alias }: RenameOptions): readonly string[] {
  const renamed = after.features.find(
    ({ entity }, i) => entity.plural.kebab !== before.features[i]?.entity.plural.kebab,
  )
  if (!alias || renamed === undefined) return []
  const { entity, aliases = [] } = renamed
  return [
    '',
    `The app still serves /api/v1/${aliases.at(-1)}, as an alias of /api/v1/${entity.plural.kebab}. To remove the alias:`,
    `  strata feature ${entity.pascal} --alias none`,
  ]
}

/** Returns true if the app renames the stored records itself, because its store has no migrations. */
function appRenames({ plan, after }: ChangeResult): boolean {
  return (
    storeOf(after).losses !== undefined &&
    plan.actions.some(({ path, kind }) => path === 'src/infra/renames.ts' && kind !== 'skip')
  )
}

const appRenameLines = [
  'The app renames the stored records when it starts next, and keeps all of them. The previous version of the app',
  'does not run on the renamed store: stop the previous version before the new one starts.',
]

const maxShown = 30

function shown(notes: readonly string[]): readonly string[] {
  const rest = notes.length - maxShown
  return [
    ...notes.slice(0, maxShown).map((note) => `  ${note}`),
    ...(rest > 0 ? [`  and ${rest} more: --dry-run --json lists all before the rename`] : []),
  ]
}
