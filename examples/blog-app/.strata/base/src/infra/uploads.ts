import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
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
      const part = join(folder, `${name}.part`)
      const file = await withSaveError(createIn(folder, part))
      try {
        await write(source, file)
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
  }
}

async function createIn(folder: string, path: string) {
  await mkdir(folder, { recursive: true })
  return open(path, 'wx')
}

/** Reads `source` to its end even if the disk fails: leaving the stream early would raise another error. */
async function write(source: AsyncIterable<Uint8Array>, file: FileHandle) {
  let failure: unknown
  for await (const chunk of source) {
    failure ??= await file.writeFile(chunk).catch((error: unknown) => error)
  }
  if (failure) throw new SaveError(failure)
}

async function withSaveError<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new SaveError(error)
  }
}
