import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** A file can't be written here: the disk's fault, not the sender's. */
export class SaveError extends Error {
  constructor(cause: unknown) {
    super('the file can not be saved', { cause })
    this.name = 'SaveError'
  }
}

export type Uploads = ReturnType<typeof createUploads>

/** Files in a folder, which is made when it is needed. */
export function createUploads(path: string) {
  const folder = resolve(path)
  return {
    /** Absolute. */
    folder,

    /**
     * Writes what comes to a new file, whose unique name ends in `extension`. A file has its name when it is
     * whole; nothing is left of one that breaks off. Throws SaveError, or what `source` throws.
     */
    async save(source: AsyncIterable<Uint8Array>, extension: string): Promise<string> {
      const name = `${randomUUID()}${extension}`
      const part = join(folder, `${name}.part`)
      const file = await saving(createIn(folder, part))
      try {
        await write(source, file)
        await saving(file.close())
        await saving(rename(part, join(folder, name)))
      } catch (error) {
        await file.close().catch(() => {})
        await rm(part, { force: true }).catch(() => {})
        throw error
      }
      return name
    },

    remove: (name: string): Promise<void> => rm(join(folder, name), { force: true }),
  }
}

async function createIn(folder: string, path: string) {
  await mkdir(folder, { recursive: true })
  return open(path, 'wx')
}

/** Reads `source` to its end also where the disk fails: a stream that is left early tells another error. */
async function write(source: AsyncIterable<Uint8Array>, file: FileHandle) {
  let failure: unknown
  for await (const chunk of source) {
    failure ??= await file.writeFile(chunk).catch((error: unknown) => error)
  }
  if (failure) throw new SaveError(failure)
}

async function saving<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new SaveError(error)
  }
}
