import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The hash format of a repository. A mirror must have the format of its remote. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Creates an empty mirror at `path` atomically. */
export async function createMirror(path: string, format: ObjectFormat = 'sha1'): Promise<void> {
  const staged = `${path}${stagedMark}${randomBytes(6).toString('hex')}`
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(join(staged, folder), { recursive: true, mode: 0o700 })
  }
  // HEAD must not name a branch, because fetches overwrite and prune branches.
  await writeFile(join(staged, 'HEAD'), 'ref: refs/strata/none\n')
  await writeFile(join(staged, 'config'), configs[format])
  await writeFile(join(staged, 'info/attributes'), attributes, { flush: true })
  await rename(staged, path)
}

export async function isMirror(path: string): Promise<boolean> {
  return (await stat(join(path, 'info/attributes')).catch(() => undefined)) !== undefined
}

/** Moves the mirror at `from` to `to` and removes the previous mirror at `to`. */
export async function replaceMirror(from: string, to: string): Promise<void> {
  const old = await setAside(to)
  await rename(from, to)
  await rm(old, { recursive: true, force: true })
}

/** Renames the mirror away, then removes its files. */
export async function removeMirror(path: string): Promise<void> {
  await rm(await setAside(path), { recursive: true, force: true })
}

/** Returns a temporary path next to `path`, for a mirror under construction or removal. */
export function temporaryPath(path: string): string {
  return `${path}${stagedMark}${randomBytes(6).toString('hex')}`
}

/** Removes the locks and partial objects of killed git processes. No git process may run in the mirror. */
export async function sweepMirror(path: string): Promise<void> {
  const names = await readdir(path, { recursive: true }).catch(() => [])
  const leftovers = names.filter(
    (name) =>
      (name.endsWith('.lock') && !name.startsWith('objects/')) ||
      /^objects\/(pack\/\.?tmp_|[0-9a-f]{2}\/tmp_obj|tmp_|info\/.*\.lock$|pack\/.*\.lock$|incoming-)/.test(
        name,
      ) ||
      name === 'gc.pid',
  )
  for (const name of leftovers) await rm(join(path, name), { recursive: true, force: true })
}

/** Removes incomplete mirrors, mirrors under removal, and the scratch folder. */
export async function sweepFolder(folder: string, scratchFolder: string): Promise<void> {
  await rm(scratchFolder, { recursive: true, force: true })
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (name.includes(stagedMark)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const stagedMark = '.staged-'

async function setAside(path: string): Promise<string> {
  const aside = temporaryPath(path)
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return aside
}

const configs: Record<ObjectFormat, string> = {
  sha1: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogallrefupdates = false\n',
  sha256:
    '[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tlogallrefupdates = false\n[extensions]\n\tobjectformat = sha256\n',
}

/** Overrides every `.gitattributes`, so that a checkout writes files as they were committed. */
const attributes =
  '* -text !eol !crlf -ident -filter !working-tree-encoding -export-subst -export-ignore\n'
