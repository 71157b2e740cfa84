import type { SecretScope } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Redacted, Store, Vault } from '../../ports.ts'
import { auditRow, type Subject } from '../ground/audit-row.ts'
import type { SecretUseCases } from '../ground/use-cases.ts'

/** Secrets of apps: written and named, never read back. */
export function createSecretUseCases({
  store,
  vault,
  clock,
}: {
  store: Pick<Store, 'secrets' | 'transaction'>
  vault: Vault
  clock: Pick<Clock, 'now'>
}): SecretUseCases {
  return {
    async list(scope) {
      const secrets = await store.secrets.list(scope)
      return secrets.map(({ name, scope }) => ({ name, scope: scope.kind }))
    },

    async set({ name, value, scope }, actor) {
      refuseName(name)
      refuseValue(value)
      await store.transaction(async (tx) => {
        await refuseUnknownProject(tx, scope)
        const at = clock.now()
        await tx.secrets.set({ name, scope, value: vault.seal(value) }, at)
        await tx.audit.write(auditRow('secret_set', subjectOf(scope), name, actor, at))
      })
    },

    async remove(name, scope, actor) {
      await store.transaction(async (tx) => {
        if (!(await tx.secrets.remove(name, scope))) {
          throw new DaemonError(
            'not-found',
            `there is no secret of this name ${whereIs[scope.kind]}`,
          )
        }
        const row = auditRow('secret_deleted', subjectOf(scope), name, actor, clock.now())
        await tx.audit.write(row)
      })
    },
  }
}

const whereIs: Readonly<Record<SecretScope['kind'], string>> = {
  global: 'among the global ones',
  project: 'in the project',
  branch: 'of the branch',
}

const longestName = 128
const mostValueBytes = 64 * 1024

function refuseName(name: string): void {
  if (name.length > longestName || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new DaemonError(
      'bad-request',
      `the name of a secret is letters, digits and _, does not begin with a digit and has at most ${longestName} characters`,
    )
  }
  if (name === 'PORT' || name.startsWith('STRATA_')) {
    throw new DaemonError(
      'bad-request',
      `${name} is set by strata for every app and nothing overrides it: take another name`,
    )
  }
}

function refuseValue(value: Redacted): void {
  const text = value.reveal()
  if (Buffer.byteLength(text) > mostValueBytes) {
    throw new DaemonError('bad-request', 'the value of a secret has at most 64 KiB')
  }
  if (text.includes('\0')) {
    throw new DaemonError(
      'bad-request',
      'the value of a secret has no NUL: an environment variable can not hold one',
    )
  }
}

async function refuseUnknownProject(
  tx: Pick<Store, 'projects'>,
  scope: SecretScope,
): Promise<void> {
  if (scope.kind === 'global' || (await tx.projects.find(scope.projectId))) return
  throw new DaemonError('not-found', 'there is no project of this id')
}

function subjectOf(scope: SecretScope): Subject {
  if (scope.kind === 'global') return {}
  return scope.kind === 'branch'
    ? { projectId: scope.projectId, branch: scope.branch }
    : { projectId: scope.projectId }
}
