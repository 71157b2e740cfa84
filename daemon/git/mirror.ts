import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The rules for hashes a repository can have; a mirror has those of its remote. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Makes an empty mirror at `path`, whole or not at all. */
export async function makeMirror(path: string, format: ObjectFormat = 'sha1'): Promise<void> {
  const staged = `${path}${stagedMark}${randomBytes(6).toString('hex')}`
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(join(staged, folder), { recursive: true, mode: 0o700 })
  }
  // Branches are fetched over this one too: it must not name one.
  await writeFile(join(staged, 'HEAD'), 'ref: refs/strata/none\n')
  await writeFile(join(staged, 'config'), configs[format])
  await writeFile(join(staged, 'info/attributes'), attributes, { flush: true })
  await rename(staged, path)
}

export async function isMirror(path: string): Promise<boolean> {
  return (await stat(join(path, 'info/attributes')).catch(() => undefined)) !== undefined
}

/** Puts the mirror at `from` in the place of the one at `to`. */
export async function replaceMirror(from: string, to: string): Promise<void> {
  const old = await setAside(to)
  await rename(from, to)
  await rm(old, { recursive: true, force: true })
}

/** Takes a mirror away at once; its files go after that. */
export async function removeMirror(path: string): Promise<void> {
  await rm(await setAside(path), { recursive: true, force: true })
}

/** A name for a mirror that is to stand in the place of `path` when it is whole. */
export function besideMirror(path: string): string {
  return `${path}${stagedMark}${randomBytes(6).toString('hex')}`
}

/** Removes what killed processes of git left: locks, and packs and objects half written. No git may run in it. */
export async function sweepMirror(path: string): Promise<void> {
  const names = await readdir(path, { recursive: true }).catch(() => [])
  const left = names.filter(
    (name) =>
      (name.endsWith('.lock') && !name.startsWith('objects/')) ||
      /^objects\/(pack\/\.?tmp_|[0-9a-f]{2}\/tmp_obj|tmp_|info\/.*\.lock$|pack\/.*\.lock$|incoming-)/.test(
        name,
      ) ||
      name === 'gc.pid',
  )
  for (const name of left) await rm(join(path, name), { recursive: true, force: true })
}

/** Removes mirrors that were never whole or are on their way out, and the scratch folder. */
export async function sweepFolder(folder: string, scratchFolder: string): Promise<void> {
  await rm(scratchFolder, { recursive: true, force: true })
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if (name.includes(stagedMark)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const stagedMark = '.staged-'

async function setAside(path: string): Promise<string> {
  const aside = besideMirror(path)
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

/** Files come out as they were committed: these go before every `.gitattributes` of the repository. */
const attributes =
  '* -text !eol !crlf -ident -filter !working-tree-encoding -export-subst -export-ignore\n'
