import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

const schema = z.object({
  name: z.string(),
  environmentId: z.int(),
  /** Random; in the environment of all the app's processes. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  bootId: z.string(),
  port: z.int(),
  startedAt: z.number(),
  /** No process of the app started before this (clock ticks). */
  since: z.number(),
  /** `null`: about to be started. */
  process: z.object({ pid: z.int().positive(), startTime: z.number() }).nullable(),
})

/** What the next daemon needs to know of an app. */
export type InstanceFile = z.infer<typeof schema>

/** Where instances are written down, one file each. */
export interface InstanceFiles {
  write(file: InstanceFile): Promise<void>
  remove(name: string): Promise<void>
  /** Files that can't be read are removed: the system went down while they were written, and the apps with it. */
  list(): Promise<InstanceFile[]>
}

/**
 * A file is whole or not there (written under another name, then renamed). It is not forced to the disk, which would cost
 * each wake tens of milliseconds: it has to outlive the daemon, not the system, and no app does that either.
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
