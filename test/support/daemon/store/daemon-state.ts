import { join } from 'node:path'
import { createBackupUseCases } from '../../../../daemon/app/manage/backups.ts'
import { redacted } from '../../../../daemon/domain/redacted.ts'
import type { Database, KeyVault, Redacted } from '../../../../daemon/ports.ts'
import {
  type ApplyDeps,
  applyStagedRestore,
  type RestoreOutcome,
} from '../../../../daemon/store/backup/apply.ts'
import { createArchives } from '../../../../daemon/store/backup/archives.ts'
import { recordRestores } from '../../../../daemon/store/backup/record-restore.ts'
import { createStore } from '../../../../daemon/store/store.ts'
import { createVault } from '../../../../daemon/vault/vault.ts'
import { volumeReader } from './volume-reader.ts'

export const master = {
  principal: { kind: 'master' },
  operator: 'master',
  requestId: 'r1',
} as const

/** The parts of a daemon that backups need, started on a data folder like the daemon. */
export interface DaemonState {
  readonly store: Database
  readonly vault: KeyVault
  readonly backups: ReturnType<typeof createBackupUseCases>
  readonly restored: RestoreOutcome
  /** Returns the decrypted secret `WHO`, which tells the states of a test apart. */
  who(): Promise<string | undefined>
  setWho(value: string): Promise<void>
  stop(): Promise<void>
}

export async function startState(
  dataDir: string,
  {
    masterKey = null,
    restoreMaxBytes = 2 ** 30,
    reader = volumeReader,
    ...rest
  }: {
    masterKey?: Redacted | null
    restoreMaxBytes?: number
    reader?: readonly string[]
  } & Partial<ApplyDeps> = {},
): Promise<DaemonState> {
  const now = Date.now
  const paths = { ...pathsOf(dataDir), ...rest }
  const restored = await applyStagedRestore({ dataDir, masterKey, now, ...paths })
  const store = await createStore({ file: paths.databaseFile, now })
  const source = masterKey ? { key: masterKey } : { keyFile: paths.keyFile }
  const vault = await createVault(source, { sealed: store.sealed })
  await recordRestores({ dataDir, store })
  const archives = createArchives({
    ...{ database: store, vault, dataDir, restoreMaxBytes, diskReserveMb: null, now },
    databaseFile: paths.databaseFile,
    reader,
  })
  return {
    store,
    vault,
    restored,
    backups: createBackupUseCases({ archives, store, clock: { now } }),
    async who() {
      const [secret] = await store.secrets.listFor(0, '')
      return secret && vault.open(secret.value).reveal()
    },
    async setWho(text) {
      const value = vault.seal(redacted(text))
      await store.secrets.set({ name: 'WHO', scope: { kind: 'global' }, value }, now())
    },
    stop: () => store.close(),
  }
}

export function pathsOf(dataDir: string): { databaseFile: string; keyFile: string } {
  return { databaseFile: join(dataDir, 'database.sqlite'), keyFile: join(dataDir, 'master.key') }
}
