import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Client } from 'acme-client'
import { redacted } from '../domain/redacted.ts'
import type { Gateway, IssuedCertificate } from '../ports.ts'
import type { Acme } from './library.ts'

/** How the authority checks that a domain leads to this server, in the order of the tries. */
export const challengeTypes = ['http-01', 'tls-alpn-01'] as const
export type ChallengeType = (typeof challengeTypes)[number]

type Authorization = Awaited<ReturnType<Client['getAuthorizations']>>[number]

/** Thrown if the authority could not validate the domain: another type of challenge may succeed. */
export class ChallengeFailed extends Error {}

/** Orders a certificate for one domain and answers one type of challenge at the gateway. */
export async function orderCertificate(options: {
  readonly acme: Acme
  readonly client: Client
  readonly gateway: Pick<Gateway, 'setChallenge' | 'removeChallenge'>
  readonly domain: string
  readonly type: ChallengeType
}): Promise<IssuedCertificate> {
  const { acme, client, gateway, domain, type } = options
  const order = await client.createOrder({ identifiers: [{ type: 'dns', value: domain }] })
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue
    try {
      await answer(authorization)
    } finally {
      await gateway.removeChallenge(domain)
    }
  }
  const { crypto } = acme.library
  const key = await crypto.createPrivateEcdsaKey('P-256')
  const [, request] = await crypto.createCsr({ altNames: [domain] }, key)
  const finalized = await client.finalizeOrder(order, request)
  return checkCertificate(domain, await client.getCertificate(finalized), key.toString())

  async function answer(authorization: Authorization): Promise<void> {
    const challenge = authorization.challenges.find((each) => each.type === type)
    if (!challenge) throw new ChallengeFailed(`it offers no ${type} challenge`)
    const proof = await client.getChallengeKeyAuthorization(challenge)
    if (type === 'http-01') {
      const path = `/.well-known/acme-challenge/${challenge.token}`
      await gateway.setChallenge({ kind: 'http', hostname: domain, path, body: proof })
    } else {
      const ownKey = await acme.library.crypto.createPrivateEcdsaKey('P-256')
      const [key, cert] = await acme.library.crypto.createAlpnCertificate(
        authorization,
        proof,
        ownKey,
      )
      const pems = { cert: cert.toString(), key: key.toString() }
      await gateway.setChallenge({ kind: 'tls', hostname: domain, ...pems })
    }
    await client.completeChallenge(challenge)
    acme.takeProblem()
    try {
      await client.waitForValidStatus(challenge)
    } catch (error) {
      // A refusal of the request itself is not a failed validation.
      if (acme.peekProblem()) throw error
      throw new ChallengeFailed(error instanceof Error ? error.message : String(error))
    }
  }
}

/** Checks the authority's answer before the gateway uses it. Throws an Error that names the fault. */
function checkCertificate(domain: string, chain: string, key: string): IssuedCertificate {
  const leaf = new X509Certificate(chain)
  if (leaf.checkHost(domain) === undefined)
    throw new Error(`it certified another name than ${domain}`)
  if (!leaf.checkPrivateKey(createPrivateKey(key))) throw new Error('it certified another key')
  const [notBefore, notAfter] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  if (!(notAfter > notBefore)) throw new Error('its certificate has no valid period')
  return { chain, key: redacted(key), notBefore, notAfter }
}
