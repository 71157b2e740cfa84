import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Database, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { TokenUseCases } from '../ground/use-cases.ts'
import { awaitTime, createRevocations } from './token-ends.ts'

/**
 * Use cases of named API tokens. Authentication reads the database each time (an indexed lookup of microseconds), so
 * that a revocation takes effect at once.
 */
export function createTokenUseCases({
  store,
  clock,
}: {
  store: Pick<Database, 'tokens' | 'transaction' | 'onChange'>
  clock: Pick<Clock, 'now' | 'wait'>
}): TokenUseCases {
  const revocations = createRevocations(store)
  return {
    async create({ name, projects, role, expiresInMs }, actor) {
      checkName(name)
      // An empty list must not be mistaken for all projects.
      if (projects?.length === 0) {
        throw new DaemonError(
          'bad-request',
          'projects is empty: list at least one project, or omit it for all projects',
        )
      }
      const scope = projects && [...new Set(projects)].sort((a, b) => a - b)
      const secret = randomBytes(32).toString('hex')
      const token = await store.transaction(async (tx) => {
        await checkProjects(tx, scope)
        await checkNameIsFree(tx, name)
        const now = clock.now()
        const created = await tx.tokens.create({
          name,
          hash: hashOf(secret).toString('hex'),
          projects: scope,
          role: role ?? (scope ? 'maintainer' : 'admin'),
          expiresAt: expiresInMs === null ? null : now + expiresInMs,
          revokedAt: null,
          createdAt: now,
        })
        await tx.audit.write(auditRow('token_created', {}, name, actor, now))
        return created
      })
      return { token, secret: redacted(secret) }
    },

    list: () => store.tokens.list(),

    async revoke(id, actor) {
      await store.transaction(async (tx) => {
        const token = (await tx.tokens.list()).find((one) => one.id === id)
        const now = clock.now()
        if (!token || !(await tx.tokens.revoke(id, now))) {
          throw new DaemonError('not-found', 'no active token with this id')
        }
        await tx.audit.write(auditRow('token_revoked', {}, token.name, actor, now))
      })
    },

    async authenticate(secret) {
      const hash = hashOf(secret)
      const token = await store.tokens.findByHash(hash.toString('hex'))
      if (!token || !timingSafeEqual(Buffer.from(token.hash, 'hex'), hash)) return undefined
      const isExpired = token.expiresAt !== null && token.expiresAt <= clock.now()
      if (token.revokedAt !== null || isExpired) return undefined
      const { id, name, role, projects, expiresAt } = token
      return { kind: 'token', id, name, role, projects, expiresAt }
    },

    async awaitEnd({ id, expiresAt }, signal) {
      const done = new AbortController()
      const until = AbortSignal.any([done.signal, signal])
      const ends = [revocations.await(id, until)]
      if (expiresAt !== null) ends.push(awaitTime(expiresAt, clock, until))
      await Promise.race(ends)
      done.abort()
    },
  }
}

const maxNameLength = 100

function checkName(name: string): void {
  if (name.length >= 1 && name.length <= maxNameLength) return
  throw new DaemonError(
    'bad-request',
    `the name of a token must have 1 to ${maxNameLength} characters`,
  )
}

async function checkProjects(
  tx: Pick<Store, 'projects'>,
  ids: readonly number[] | null,
): Promise<void> {
  if (ids === null) return
  const known = new Set((await tx.projects.list(ids)).map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  throw new DaemonError('bad-request', `no project ${unknown.join(', ')}`)
}

async function checkNameIsFree(tx: Pick<Store, 'tokens'>, name: string): Promise<void> {
  const tokens = await tx.tokens.list()
  if (!tokens.some((one) => one.name === name && one.revokedAt === null)) return
  throw new DaemonError(
    'conflict',
    'an active token has this name: revoke it first, or choose another name',
  )
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
