import type { Plan } from '../../../generator/plan/plan.ts'
import type { DatabaseReport } from './inspect-database.ts'

/** Tells what the stored records say about a change. */
export function databaseLines(
  { asked, reason, facts }: DatabaseReport,
  { losses = [] }: Plan,
  isAllowed: boolean,
): readonly string[] {
  const needs = losses.length > 0 && !isAllowed
  return [
    '',
    ...(asked ? [] : [`The database could not be asked: ${reason}.`]),
    ...(asked && facts.length === 0 ? ['The change needs no look at the stored records.'] : []),
    ...(facts.length > 0 ? ['The configured database now:'] : []),
    ...facts.map(({ sentence }) => `  ${sentence}`),
    ...(needs ? ['Without --dry-run, this change needs --allow-destructive.'] : []),
  ]
}
