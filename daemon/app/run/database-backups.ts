import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { dumpsVolume } from '../../domain/hosted.ts'
import type { BranchDatabase } from '../../domain/records.ts'
import { isAbsent } from '../../durable-files.ts'
import { DaemonError } from '../../errors.ts'
import type { Logger, Store } from '../../ports.ts'
import type { BranchDatabases } from './branch-databases.ts'

/** The databases of branches in backups: each as a dump of one instant, `<project id>/databases/<name>.dump`. */
export interface DatabaseBackups {
  /** Writes the dumps into `folder`. Returns the databases without a dump, with the reasons. */
  dump(folder: string): Promise<readonly { path: string; reason: string }[]>
  /**
   * Loads the dumps that an applied restore has left in the volumes, each into a new database. The replaced database
   * stays on its server under its name. A dump that can't be loaded stays for the next start, and its branch does not
   * run until then. Call before apps start.
   */
  loadRestored(): Promise<void>
}

/** Time limit of one dump or load. */
const transferMs = 60 * 60_000

export function createDatabaseBackups({
  store,
  databases,
  dataDir,
  logger,
}: {
  store: Store
  databases: BranchDatabases
  dataDir: string
  logger: Logger
}): DatabaseBackups {
  const volumes = join(dataDir, 'volumes')

  async function dumpOne(database: BranchDatabase, folder: string): Promise<void> {
    const { server, access } = databases.open(database)
    const { projectId, name } = database
    const place = join(folder, String(projectId), dumpsVolume)
    await mkdir(place, { recursive: true, mode: 0o700 })
    const file = join(place, `${name}.dump`)
    const signal = AbortSignal.timeout(transferMs)
    try {
      const dump = await server.dump(access, { projectId, signal })
      await pipeline(dump, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
  }

  /** Loads a dump into a new database, which replaces the branch's database in one transaction. */
  async function loadOne(file: string, known: BranchDatabase): Promise<void> {
    const { projectId, branch, kind, id } = known
    const next = await databases.insertReplacement(known)
    try {
      const { server, access } = databases.open(next)
      await server.create(access)
      const options = { projectId, signal: AbortSignal.timeout(transferMs) }
      await server.load(access, createReadStream(file), options)
      await store.transaction(async (tx) => {
        await tx.branchDatabases.remove(id)
        await tx.branchDatabases.update(next.id, { state: 'ready', trashId: null })
      })
      if (!(await server.exists(known.name))) return
      await server.revoke(known.name)
      const fields = { projectId, branch, kind, database: known.name }
      logger.warn(fields, 'a restore replaced a database, which stays on its server: drop it there')
    } catch (error) {
      await databases
        .discard(next)
        .catch((err) => logger.error({ err }, 'could not undo a restore'))
      throw error
    }
  }

  async function loadFile(place: string, fileName: string): Promise<void> {
    const name = fileName.replace(/\.dump$/, '')
    const known = (await store.branchDatabases.list({ trashId: null })).find(
      (database) => database.name === name,
    )
    // A previous start has loaded the dump, and was killed before it removed the file.
    if (known) await loadOne(join(place, fileName), known)
    await rm(join(place, fileName), { force: true })
    databases.resume(name)
  }

  return {
    async dump(folder) {
      const faults: { path: string; reason: string }[] = []
      for (const database of await store.branchDatabases.list({ trashId: null })) {
        if (database.state !== 'ready') continue
        try {
          await dumpOne(database, folder)
        } catch (error) {
          if (!(error instanceof DaemonError)) throw error
          const path = `${database.projectId}/${dumpsVolume}/${database.name}.dump`
          faults.push({ path, reason: error.message })
        }
      }
      return faults
    },

    async loadRestored() {
      for (const project of await namesIn(volumes)) {
        const place = join(volumes, project, dumpsVolume)
        for (const fileName of await namesIn(place)) {
          try {
            await loadFile(place, fileName)
          } catch (err) {
            if (!(err instanceof DaemonError)) throw err
            databases.suspend(fileName.replace(/\.dump$/, ''), err.message)
            logger.error({ err, fileName }, 'could not load the dump of a restored database')
          }
        }
      }
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  }
}
