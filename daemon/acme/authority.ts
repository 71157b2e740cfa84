import type { Client } from 'acme-client'
import { redacted } from '../domain/redacted.ts'
import { CertificateError } from '../errors.ts'
import type { AcmeAccountStore, CertificateAuthority, Gateway, Vault } from '../ports.ts'
import { type Acme, loadAcme, type Problem } from './library.ts'
import { ChallengeFailed, challengeTypes, orderCertificate } from './order.ts'

export interface AcmeAuthorityDeps {
  /** URL of the authority's directory. */
  readonly directory: string
  readonly email: string | null
  readonly ca: string | null
  readonly gateway: Pick<Gateway, 'setChallenge' | 'removeChallenge'>
  readonly accounts: AcmeAccountStore
  readonly vault: Vault
}

/**
 * Creates a client of an authority that speaks ACME (RFC 8555). Not reentrant: one certificate at a time. The account's
 * key is stored before the account exists, so that a killed daemon uses the same account again.
 */
export function createAcmeAuthority(deps: AcmeAuthorityDeps): CertificateAuthority {
  const { directory, email, gateway, accounts, vault } = deps
  const name = new URL(directory).host
  let loading: Promise<Acme> | undefined
  let client: Client | undefined

  async function signIn(acme: Acme, { isNew }: { isNew: boolean }): Promise<Client> {
    if (client && !isNew) return client
    const known = isNew ? undefined : await accounts.find(directory)
    const accountKey = known
      ? vault.open(known).reveal()
      : (await acme.library.crypto.createPrivateEcdsaKey('P-256')).toString()
    if (!known) await accounts.set(directory, vault.seal(redacted(accountKey)))
    const created = new acme.library.Client({
      directoryUrl: directory,
      accountKey,
      backoffAttempts: 30,
      backoffMin: 250,
      backoffMax: 5_000,
    })
    await created.createAccount({
      termsOfServiceAgreed: true,
      ...(email !== null && { contact: [`mailto:${email}`] }),
    })
    client = created
    return created
  }

  /** Tries the types of challenges in turn. A deactivated or forgotten account is replaced once. */
  async function order(acme: Acme, domain: string, isNew = false) {
    const faults: string[] = []
    for (const type of challengeTypes) {
      try {
        return await orderCertificate({
          ...{ acme, gateway, domain, type },
          client: await signIn(acme, { isNew: isNew && faults.length === 0 }),
        })
      } catch (error) {
        const problem = acme.takeProblem()
        if (!isNew && problem && isAccountProblem(problem)) {
          client = undefined
          return order(acme, domain, true)
        }
        if (!(error instanceof ChallengeFailed)) throw certificateError(name, problem, error)
        faults.push(`${type}: ${error.message}`)
      }
    }
    throw new CertificateError(`${name} could not validate ${domain} (${faults.join('; ')})`)
  }

  return {
    async obtain(domain, signal) {
      signal.throwIfAborted()
      loading ??= loadAcme(deps.ca)
      const acme = await loading
      acme.takeProblem()
      const late = new Promise<never>((_resolve, reject) => {
        const fail = () => reject(new CertificateError(`${name} did not answer in time`))
        signal.addEventListener('abort', fail, { once: true })
      })
      return Promise.race([order(acme, domain), late])
    },
  }
}

function isAccountProblem({ type, status }: Problem): boolean {
  return type === 'accountDoesNotExist' || (type === 'unauthorized' && status !== 404)
}

function certificateError(name: string, problem: Problem | undefined, error: unknown) {
  if (error instanceof CertificateError) return error
  if (problem?.type === 'rateLimited' || problem?.status === 429) {
    return new CertificateError(
      `${name} refuses more requests for now: ${problem.detail || 'rate limit'}`,
      problem.retryAfterMs,
    )
  }
  if (problem) {
    const text = problem.detail || problem.type || `status ${problem.status}`
    return new CertificateError(`${name} refused the order: ${text}`, problem.retryAfterMs)
  }
  // Without its own retries, the library fails with a TypeError if no response arrives.
  if (error instanceof TypeError) return new CertificateError(`${name} can not be reached`)
  const reason = error instanceof Error ? error.message : String(error)
  return new CertificateError(`the order at ${name} failed: ${reason}`)
}
