import type { Feature } from '../model/model.ts'
import type { Relations } from './relation-view.ts'

/** Who may do what, as the templates see it. */
export interface AccessView {
  isProtected: boolean
  /** Named imports from `src/http/auth.ts`. */
  authHelpers: string
  /** What stands before a handler, with a comma behind it, or ''. */
  readGuard: string
  writeGuard: string
  /** Behind the other parameters and arguments, or ''. */
  callerParameter: string
  callerArgument: string
  /** The foreign key that says whose a record is, or '', and how a sentence calls who that is. */
  owner: string
  ownerWords: string
  /** What a new record gets from its caller, with a comma behind it, or ''. */
  ownerOfRecord: string
  /** The statement that refuses others, or ''. */
  ownerCheck: string
}

export function accessView({ protect }: Feature, { owner }: Relations): AccessView {
  const guard = 'requireCaller, '
  return {
    isProtected: protect !== 'none',
    authHelpers: owner ? 'callerOf, requireCaller' : 'requireCaller',
    readGuard: protect === 'all' ? guard : '',
    writeGuard: protect === 'none' ? '' : guard,
    callerParameter: owner ? ', caller: Caller' : '',
    callerArgument: owner ? ', callerOf(res)' : '',
    owner: owner?.field.camel ?? '',
    ownerWords: owner?.name.replaceAll('_', ' ') ?? '',
    ownerOfRecord: owner ? `${owner.field.camel}: caller.id, ` : '',
    ownerCheck: owner ? 'await assertOwned(id, caller)' : '',
  }
}
