import type { Identity } from '../../../client/contract.ts'
import { session } from './session.ts'

export type Role = Identity['role']

/** The credential that an action needs. `project` is undefined for actions on the whole daemon. */
export type Need =
  | { readonly kind: 'master' }
  | { readonly kind: 'role'; readonly role: Role; readonly project: number | undefined }
  /** A token for all projects, with any role. */
  | { readonly kind: 'all-projects' }

const ranks: readonly Role[] = ['viewer', 'developer', 'maintainer', 'admin']

/** Returns the sentence that says which token an action needs; undefined if the current token suffices. */
export function refusalOf(need: Need): string | undefined {
  const current = session.value
  if (current.kind !== 'signed-in') return 'Sign in first.'
  const { kind, role, projects } = current.identity
  if (kind !== 'token') return undefined
  if (need.kind === 'master') return 'This needs the master token.'
  if (need.kind === 'all-projects' || need.project === undefined) {
    if (projects !== null) return 'This needs a token for all projects. Yours is limited to some.'
  } else if (projects !== null && !projects.includes(need.project)) {
    return 'This needs a token for this project.'
  }
  if (need.kind === 'role' && ranks.indexOf(role) < ranks.indexOf(need.role)) {
    return `This needs the role ${need.role}. Your token has the role ${role}.`
  }
  return undefined
}

/** Returns the need of an action: a role, in one project or on the whole daemon. */
export function roleNeed(role: Role, project?: number): Need {
  return { kind: 'role', role, project }
}
