import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plan } from '../../../generator/plan/plan.ts'
import { copyFolder } from './state-file.ts'

/** Names at the root that the code of a store does not need. Secrets stay in one place. */
const leftOut = new Set([
  ...['node_modules', '.git', '.strata', '.env'],
  ...['dist', 'data', 'uploads', 'coverage'],
])

/**
 * Writes the project as it will be after the plan, beside the project: the copy needs the code of the new store before
 * the project changes. Keeps the packages of an earlier run. Returns the folder.
 */
export function writeNextProject({ root, actions }: Plan): string {
  const next = join(copyFolder(root), 'next')
  mkdirSync(next, { recursive: true })
  for (const name of readdirSync(next)) if (name !== 'node_modules') remove(join(next, name))
  for (const name of readdirSync(root)) {
    const generated = join(root, 'src/generated')
    const filter = (path: string) => path !== generated
    if (!leftOut.has(name)) cpSync(join(root, name), join(next, name), { recursive: true, filter })
  }
  for (const action of actions) {
    const path = join(next, action.path)
    if (action.kind === 'delete') remove(path)
    if ((action.kind !== 'create' && action.kind !== 'edit') || action.secret) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, action.after)
  }
  return next
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
