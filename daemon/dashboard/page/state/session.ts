import { effect, signal } from '@preact/signals'
import type { Identity, SetupStatus } from '../../../client/contract.ts'
import { ResponseError } from '../../../client/errors.ts'
import { api, refusedToken } from './api.ts'
import { forgetToken, sendToken, token } from './token.ts'
import { clearData } from './use-data.ts'
import { waitingDomains } from './waiting-domains.ts'

/** The person in front of the page, as the daemon sees them. */
export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'signed-out'; readonly setup: SetupStatus; readonly why: string | undefined }
  | { readonly kind: 'signed-in'; readonly setup: SetupStatus; readonly identity: Identity }

export const session = signal<Session>({ kind: 'starting' })

/** Signs in if the API is open, a kept token is valid, or the daemon gives its generated token to this browser. */
export async function startSession(): Promise<void> {
  session.value = { kind: 'starting' }
  try {
    const { body: setup } = await api.call('readSetupStatus')
    if (setup.auth_required && token.peek() === undefined && setup.auto_token) {
      const given = await readSetupToken()
      if (given !== undefined) sendToken(given, false)
    }
    if (setup.auth_required && token.peek() === undefined) {
      session.value = { kind: 'signed-out', setup, why: undefined }
      return
    }
    await identify(setup)
  } catch (error) {
    session.value = { kind: 'unreachable', error }
  }
}

/** Signs in with a token. Throws ResponseError with status 401 if the daemon does not know it. */
export async function signIn(given: string, isKept: boolean): Promise<void> {
  const { body: setup } = await api.call('readSetupStatus')
  sendToken(given, isKept)
  try {
    const { body: identity } = await api.call('readIdentity')
    session.value = { kind: 'signed-in', setup, identity }
  } catch (error) {
    forgetToken()
    throw error
  }
}

export function signOut(): void {
  end(undefined)
}

async function identify(setup: SetupStatus): Promise<void> {
  try {
    const { body: identity } = await api.call('readIdentity')
    session.value = { kind: 'signed-in', setup, identity }
  } catch (error) {
    if (!(error instanceof ResponseError && error.status === 401)) throw error
    forgetToken()
    session.value = { kind: 'signed-out', setup, why: refusal }
  }
}

const refusal = 'The token was revoked or has expired. Sign in with another one.'

/** Ends the session at once, and forgets everything that the daemon answered. */
function end(why: string | undefined): void {
  const ended = session.peek()
  forgetToken()
  clearData()
  waitingDomains.value = []
  if (ended.kind === 'signed-in') session.value = { kind: 'signed-out', setup: ended.setup, why }
}

effect(() => {
  const refused = refusedToken.value
  if (!refused || session.peek().kind !== 'signed-in') return
  if (refused.token === token.peek()) end(refusal)
})

/** The daemon answers 404 to browsers that may not have its token. */
async function readSetupToken(): Promise<string | undefined> {
  try {
    return (await api.call('readSetupToken')).body.token
  } catch (error) {
    if (error instanceof ResponseError) return undefined
    throw error
  }
}
