import { randomBytes } from 'node:crypto'
import type { Project } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store, Vault } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import { findProject } from '../ground/find-project.ts'
import type { Actor, WebhookSecretUseCases } from '../ground/use-cases.ts'

/** Use cases of the webhook secrets of single projects. */
export function createWebhookSecrets(deps: {
  store: Store
  vault: Vault
  clock: Pick<Clock, 'now'>
}): WebhookSecretUseCases {
  const { store, vault, clock } = deps

  async function change(id: number, webhookSecret: Project['webhookSecret'], actor: Actor) {
    await store.transaction(async (tx) => {
      const known = await findProject(tx, id)
      if (webhookSecret === null && known.webhookSecret === null) {
        throw new DaemonError('not-found', `project ${id} has no webhook secret of its own`)
      }
      await tx.projects.update(id, { webhookSecret })
      const detail = webhookSecret === null ? 'webhookSecret: removed' : 'webhookSecret'
      const row = auditRow('project_updated', { projectId: id }, detail, actor, clock.now())
      await tx.audit.write(row)
    })
  }

  return {
    async create(projectId, actor) {
      const secret = redacted(randomBytes(32).toString('hex'))
      await change(projectId, vault.seal(secret), actor)
      return secret
    },

    remove: (projectId, actor) => change(projectId, null, actor),

    exist: () => store.projects.haveWebhookSecret(),

    async listFor(remoteKeys) {
      const found = await Promise.all(remoteKeys.map((key) => store.projects.listByRemote(key)))
      return found.flat().flatMap(({ id, webhookSecret }) => {
        return webhookSecret === null ? [] : { projectId: id, secret: vault.open(webhookSecret) }
      })
    },
  }
}
