import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const schema = z.object({
  name: z.string(),
  environmentId: z.int(),
  /** Absent for the web process. */
  processName: z.string().optional(),
  /** Random part of the mark, an environment variable of the app's processes. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  bootId: z.string(),
  port: z.int(),
  startedAt: z.number(),
  /** Lower bound of the start time of the app's processes, in clock ticks since boot. */
  since: z.number(),
  /** The leader (first process) of the app; null before its start. */
  process: z.object({ pid: z.int().positive(), startTime: z.number() }).nullable(),
})

/** Data that the next daemon needs to adopt an app. */
export type InstanceFile = z.infer<typeof schema>

/** Instance files, one for each app. */
export interface InstanceFiles {
  write(file: InstanceFile): Promise<void>
  remove(name: string): Promise<void>
  /** Returns all instances. Removes invalid files: a system crash left them, and their apps have ended too. */
  list(): Promise<InstanceFile[]>
}

/**
 * Writes files atomically (temporary file, then rename) but without fsync, which would delay each wake by tens of
 * milliseconds. A file must survive a crash of the daemon, but not a system crash, which ends all apps.
 */
export function createInstanceFiles(folder: string): InstanceFiles {
  const path = (name: string) => join(folder, `${name}.json`)

  return {
    async write(file) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const temporary = `${path(file.name)}.tmp`
      const handle = await open(temporary, 'w', 0o600)
      try {
        await handle.writeFile(JSON.stringify(file))
      } finally {
        await handle.close()
      }
      await rename(temporary, path(file.name))
    },
    remove: (name) => rm(path(name), { force: true }),
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const files = names.map(async (name) => {
        const file = name.endsWith('.json') ? await read(join(folder, name)) : undefined
        if (!file || `${file.name}.json` !== name) await rm(join(folder, name), { force: true })
        return file ? [file] : []
      })
      return (await Promise.all(files)).flat()
    },
  }
}

async function read(path: string): Promise<InstanceFile | undefined> {
  const text = await readFile(path, 'utf8')
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
