import { randomBytes } from 'node:crypto'
import type { Environment } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import type { Clock, Logs, Store, Vault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Deploy, Release } from './deploy.ts'
import type { LeaseTransaction } from './lease.ts'

/** Bytes of a made secret: HMAC keys of 256 bits, as for JWTs (RFC 7518, section 3.2). */
const secretBytes = 32

/**
 * Makes the secrets of `deploy.generate` that neither the branch, the project, all apps nor the commit's plain variables
 * have. They belong to the project: all its branches share them. The build's output names them.
 */
export function createProvideSecrets({
  vault,
  clock,
  logs,
  leaseTransaction,
}: {
  vault: Pick<Vault, 'seal'>
  clock: Pick<Clock, 'now'>
  logs: Pick<Logs, 'sink'>
  leaseTransaction: LeaseTransaction
}): (
  deploy: Deploy,
  environment: Pick<Environment, 'id'>,
  release: Pick<Release, 'launch'>,
) => Promise<void> {
  return async (deploy, { id }, { launch }) => {
    const wanted = (launch.generate ?? []).filter((name) => launch.env[name] === undefined)
    if (wanted.length === 0) return
    const { actor, project, entry } = deploy
    const made = await leaseTransaction(deploy, async (tx) => {
      const missing = await missingIn(tx, wanted, project.id, entry.branch)
      const at = clock.now()
      for (const name of missing) {
        const value = vault.seal(redacted(randomBytes(secretBytes).toString('base64url')))
        const scope = { kind: 'project', projectId: project.id } as const
        await tx.secrets.set({ name, scope, value, isReadable: false }, at)
        await tx.audit.write(auditRow('secret_set', { projectId: project.id }, name, actor, at))
      }
      return missing
    })
    if (made.length === 0) return
    const sink = logs.sink(id, 'build')
    sink.write(Buffer.from(`the project has new random secrets: ${made.join(', ')}\n`), 'stdout')
    await sink.end()
  }
}

async function missingIn(
  tx: Pick<Store, 'secrets'>,
  wanted: readonly string[],
  projectId: number,
  branch: string,
): Promise<string[]> {
  const known = new Set((await tx.secrets.listFor(projectId, branch)).map(({ name }) => name))
  return [...new Set(wanted)].filter((name) => !known.has(name))
}
