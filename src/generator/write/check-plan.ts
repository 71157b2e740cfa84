import { StrataError } from '../errors.ts'
import type { Action, Plan } from '../plan/plan.ts'
import type { Disk } from './disk.ts'
import { nothingChanged } from './disk-failure.ts'
import { checkPathTexts, createLocator, type Located } from './safe-path.ts'

/**
 * Checks that the disk did not change since planning, and that the plan can be applied completely.
 * Throws StrataError 'usage' for an unsafe path, 'conflict' for a changed file or a symlink, and
 * 'failure' for a folder without write permission.
 */
export function checkPlan(disk: Disk, plan: Plan): void {
  checkPathTexts(plan.actions.map((action) => action.path))
  const locate = createLocator(disk, plan.root)
  const device = disk.stat(plan.root)?.device
  const changed: string[] = []
  for (const action of plan.actions) {
    if (action.kind === 'skip') continue
    const located = locate(action.path)
    const difference = differenceOf(disk, action, located)
    if (difference !== undefined) changed.push(`${action.path} ${difference}`)
    if (located.folder.entry.device !== device) {
      throw failure(`${action.path} is on another file system than the project`)
    }
    if (!disk.isWritable(located.folder.full)) {
      throw failure(`strata has no permission to write in ${located.folder.full}`)
    }
  }
  const [first, ...others] = changed
  if (first === undefined) return
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  throw new StrataError(
    'conflict',
    `${first}${more}, so ${nothingChanged}: run the command again to plan with the current files`,
    { details: changed },
  )
}

type Change = Exclude<Action, { kind: 'skip' }>

function differenceOf(disk: Disk, action: Change, { full, entry }: Located): string | undefined {
  if (action.kind === 'create') return entry && 'already exists'
  if (entry === undefined) return 'was deleted after strata read it'
  if (entry.kind !== 'file') return 'is not a file any more'
  // Compares bytes: decoding would map different invalid UTF-8 to the same replacement characters.
  const isSame = Buffer.from(action.before).equals(disk.read(full))
  return isSame ? undefined : 'was edited after strata read it'
}

function failure(reason: string): StrataError {
  return new StrataError('failure', `${reason}: ${nothingChanged}`)
}
