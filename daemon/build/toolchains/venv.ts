import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Rewrites the programs of a virtual environment so that they run from any folder: pip writes the path of its
 * interpreter into them. `made` is the folder where the environment was made.
 */
export async function relocateVenv(made: string): Promise<void> {
  const folder = join(made, 'bin')
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(folder, entry.name)
    // Larger files are binaries.
    if ((await stat(path)).size > 256 * 1024) continue
    const text = relocated(await readFile(path, 'utf8'), folder)
    if (text === undefined) continue
    await writeFile(`${path}.relocated`, text, { flag: 'wx', mode: 0o555 })
    await rename(`${path}.relocated`, path)
  }
}

/**
 * Returns a script whose interpreter is beside the script, or undefined for other files. The first lines are valid in a
 * shell and in Python, as in the relocatable environments of uv.
 */
export function relocated(text: string, folder: string): string | undefined {
  const [whole, path] =
    /^#!(?:\/bin\/sh\n'''exec' )?"?([^"\n]+?\/python[\d.]*)"?(?: "\$0" "\$@"\n' ''')?\n/.exec(
      text,
    ) ?? []
  if (whole === undefined || !path?.startsWith(`${folder}/`)) return undefined
  const program = path.slice(folder.length + 1)
  if (program.includes('/')) return undefined
  const start = [
    '#!/bin/sh',
    `'''exec' "$(dirname -- "$(realpath -- "$0")")"/'${program}' "$0" "$@"`,
    "' '''",
    '',
  ]
  return start.join('\n') + text.slice(whole.length)
}
