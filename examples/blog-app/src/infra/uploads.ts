import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Thrown if the server cannot write a file. A failing upload stream throws its own error. */
export class SaveError extends Error {
  constructor(cause: unknown) {
    super('the file cannot be saved', { cause })
    this.name = 'SaveError'
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** Saves files in a folder, which the first upload creates. */
export function createUploads(path: string) {
  const folder = resolve(path)
  return {
    /** Absolute path of the folder. */
    folder,

    /**
     * Writes `source` to a new file and returns its unique name, which ends in `extension`. The file gets this name
     * only when it is complete; a failure leaves no file. Throws SaveError, or the error of `source`.
     */
    async save(source: AsyncIterable<Uint8Array>, extension: string): Promise<string> {
      const name = `${randomUUID()}${extension}`
      const part = join(folder, `${name}.${process.pid}.part`)
      const file = await withSaveError(createIn(folder, part))
      try {
        for await (const chunk of source) await withSaveError(file.writeFile(chunk))
        await withSaveError(file.close())
        await withSaveError(rename(part, join(folder, name)))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(part, { force: true }).catch(() => {})
        throw error
      }
      return name
    },

    remove: (name: string): Promise<void> => rm(join(folder, name), { force: true }),

    /**
     * Deletes partial files that a killed process left. Call it only while no upload is in progress: partial files
     * of this process go too. Other processes that run can share the folder.
     */
    async sweep(): Promise<void> {
      // A folder that is missing or unreadable has nothing to delete; `save` reports it.
      for (const file of await readdir(folder).catch(() => [])) {
        const [, pid] = /\.(\d+)\.part$/.exec(file) ?? []
        if (pid && !isOther(Number(pid))) await rm(join(folder, file), { force: true })
      }
    },
  }
}

async function createIn(folder: string, path: string) {
  await mkdir(folder, { recursive: true })
  return open(path, 'wx')
}

async function withSaveError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new SaveError(error)
  }
}

/** Returns whether another process of this number runs. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
