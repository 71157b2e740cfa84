import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DaemonError } from '../../errors.ts'
import { siteServer } from './site-start.ts'

/**
 * Copies the file server into a release, before the project's programs can change its folders. Throws DaemonError
 * `unprocessable` if the repository has another file in its place.
 */
export async function addSiteServer(folder: string, program: string | undefined): Promise<void> {
  if (program === undefined) throw new DaemonError('internal', 'the builder has no file server')
  const path = join(folder, siteServer)
  try {
    await mkdir(dirname(path), { recursive: true })
    await rm(path, { force: true })
    await copyFile(program, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST' && code !== 'ENOTDIR' && code !== 'ERR_FS_EISDIR') throw error
    throw new DaemonError('unprocessable', `${siteServer} can't be written: rename ${siteServer}`, {
      cause: error,
    })
  }
}
