import { lstat, readFile, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import dockerignore from '@balena/dockerignore'
import { create } from 'tar'

/** Folder of the branch's data in a container. */
const dataFolder = '/data'

/**
 * Streams a folder as the tar of a build context, without what its `.dockerignore` excludes. `dockerfile` is relative to
 * the folder and always included; `<dockerfile>.dockerignore` goes before `.dockerignore`.
 */
export async function contextOf(folder: string, dockerfile: string): Promise<Readable> {
  const rules =
    (await textOf(join(folder, `${dockerfile}.dockerignore`))) ??
    (await textOf(join(folder, '.dockerignore'))) ??
    ''
  const ignore = createIgnore().add(rules)
  const hasExceptions = /^\s*!/m.test(rules)
  const archive = create(
    {
      cwd: folder,
      portable: true,
      noMtime: false,
      filter: (path, stat) => {
        const name = path.replace(/^\.\/?/, '')
        if (name === '' || name === dockerfile || dockerfile.startsWith(`${name}/`)) return true
        // A folder of an exception must be visited; its other files are excluded one by one.
        if (hasExceptions && 'isDirectory' in stat && stat.isDirectory()) return true
        return !ignore.ignores(name)
      },
    },
    ['.'],
  )
  // The cast is safe: the archive of minipass has the methods that a request's body needs.
  return archive as unknown as Readable
}

/**
 * Replaces the link `data`, which leads to the branch's folder on this host, by a link to the same folder in a container.
 */
export async function relinkData(checkout: string, root: string): Promise<void> {
  const link = join(checkout, root, 'data')
  const target = await readlink(link).catch(() => undefined)
  if (target === undefined) return
  const top = await realpath(checkout)
  const real = await realpath(link).catch(() => undefined)
  if (real === undefined || real === top || real.startsWith(top + sep)) return
  await rm(link)
  await symlink(dataFolder, link)
}

/** The package exports this function itself; its types describe a default export instead. */
const createIgnore = dockerignore as unknown as () => {
  add(patterns: string): ReturnType<typeof createIgnore>
  ignores(path: string): boolean
}

async function textOf(path: string): Promise<string | undefined> {
  const stat = await lstat(path).catch(() => undefined)
  return stat?.isFile() ? readFile(path, 'utf8') : undefined
}
