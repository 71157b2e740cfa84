import type { Feature } from '../model/model.ts'
import type { Relations } from './relation-view.ts'

/** Template data: authentication and ownership of one feature. */
export interface AccessView {
  isProtected: boolean
  /** The middleware as last parameter and argument of the router's function, with a leading comma, or ''. */
  guardParameter: string
  guardArgument: string
  /** Middleware before a handler, with a trailing comma, or ''. */
  readGuard: string
  writeGuard: string
  /** The caller as last parameter and argument of use-case calls, with a leading comma, or ''. */
  callerParameter: string
  callerArgument: string
  /** The foreign key to the owner and its name in sentences, or ''. */
  owner: string
  ownerWords: string
  /** The type of the foreign key to the owner, or ''. */
  ownerType: string
  /** Property of a new record that names the caller as owner, with a trailing comma, or ''. */
  ownerOfRecord: string
  /** Statement that throws if the caller is not the owner, or ''. */
  ownerCheck: string
}

export function accessView({ protect }: Feature, { owner }: Relations): AccessView {
  const guard = 'requireCaller, '
  const isProtected = protect !== 'none'
  return {
    isProtected,
    guardParameter: isProtected ? ', requireCaller: RequestHandler' : '',
    guardArgument: isProtected ? ', requireCaller' : '',
    readGuard: protect === 'all' ? guard : '',
    writeGuard: protect === 'none' ? '' : guard,
    callerParameter: owner ? ', caller: Caller' : '',
    callerArgument: owner ? ', callerOf(res)' : '',
    owner: owner?.field.camel ?? '',
    ownerWords: owner?.name.replaceAll('_', ' ') ?? '',
    ownerType: owner ? `number${owner.field.optional ? ' | null' : ''}` : '',
    ownerOfRecord: owner ? `${owner.field.camel}: caller.id, ` : '',
    ownerCheck: owner ? 'await assertOwned(id, caller)' : '',
  }
}
