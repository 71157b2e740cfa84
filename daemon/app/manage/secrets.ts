import type { SecretScope } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Redacted, Store, Vault } from '../../ports.ts'
import { type AuditSubject, auditRow } from '../ground/audit-row.ts'
import type { SecretUseCases } from '../ground/use-cases.ts'

/** Use cases of app secrets. No use case returns the value of a secret, only of readable variables. */
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

    async set({ name, value, scope, isReadable = false }, actor) {
      checkName(name)
      checkValue(value)
      await store.transaction(async (tx) => {
        await checkProject(tx, scope)
        const at = clock.now()
        await tx.secrets.set({ name, scope, value: vault.seal(value), isReadable }, at)
        await tx.audit.write(auditRow('secret_set', subjectOf(scope), name, actor, at))
      })
    },

    async variables(scope) {
      const secrets = await store.secrets.listWithValues(scope)
      return secrets.map(({ name, value, isReadable }) => ({
        name,
        scope: scope.kind,
        value: isReadable === true ? vault.open(value).reveal() : null,
      }))
    },

    async remove(name, scope, actor) {
      await store.transaction(async (tx) => {
        if (!(await tx.secrets.remove(name, scope))) {
          throw new DaemonError('not-found', `no secret of this name ${scopeTexts[scope.kind]}`)
        }
        const row = auditRow('secret_deleted', subjectOf(scope), name, actor, clock.now())
        await tx.audit.write(row)
      })
    },
  }
}

const scopeTexts: Readonly<Record<SecretScope['kind'], string>> = {
  global: 'in the global scope',
  project: 'in the project',
  branch: 'in the branch',
}

const maxNameLength = 128
const maxValueBytes = 64 * 1024

function checkName(name: string): void {
  if (name.length > maxNameLength || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new DaemonError(
      'bad-request',
      `invalid secret name: expected 1 to ${maxNameLength} letters, digits or _, not starting with a digit`,
    )
  }
  if (name === 'PORT' || name.startsWith('STRATA_')) {
    throw new DaemonError(
      'bad-request',
      `strata sets ${name} itself in every app: choose another name`,
    )
  }
}

function checkValue(value: Redacted): void {
  const text = value.reveal()
  if (Buffer.byteLength(text) > maxValueBytes) {
    throw new DaemonError('bad-request', 'the value of a secret may have at most 64 KiB')
  }
  if (text.includes('\0')) {
    throw new DaemonError(
      'bad-request',
      'the value of a secret contains a NUL character: environment variables cannot hold one',
    )
  }
}

async function checkProject(tx: Pick<Store, 'projects'>, scope: SecretScope): Promise<void> {
  if (scope.kind === 'global' || (await tx.projects.find(scope.projectId))) return
  throw new DaemonError('not-found', 'no project with this id')
}

function subjectOf(scope: SecretScope): AuditSubject {
  if (scope.kind === 'global') return {}
  return scope.kind === 'branch'
    ? { projectId: scope.projectId, branch: scope.branch }
    : { projectId: scope.projectId }
}
