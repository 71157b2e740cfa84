import { dirname, relative } from 'node:path'
import picomatch from 'picomatch'
import * as z from 'zod'
import { type Manifest, readManifest } from './manifest.ts'

/**
 * Returns the parent folder, inside `checkout`, that has `root` as a workspace: npm installs there. Returns undefined if
 * `root` is not a workspace. Both arguments are real paths.
 */
export async function workspaceFolder(checkout: string, root: string): Promise<string | undefined> {
  for (let folder = root; folder !== checkout && folder.startsWith(checkout); ) {
    folder = dirname(folder)
    const patterns = patternsOf(await readManifest(folder))
    if (patterns.length > 0 && picomatch(patterns)(relative(folder, root))) return folder
  }
  return undefined
}

const patterns = z.union([
  z.array(z.string()),
  z.object({ packages: z.array(z.string()) }).transform(({ packages }) => packages),
])

function patternsOf(manifest: Manifest | undefined): string[] {
  const found = patterns.safeParse(manifest?.all.workspaces)
  if (!found.success) return []
  return found.data.map((pattern) => pattern.replace(/^\.?\/+|\/+$/g, ''))
}
