import { dirname, relative } from 'node:path'
import picomatch from 'picomatch'
import { parse } from 'yaml'
import * as z from 'zod'
import { DaemonError } from '../errors.ts'
import { readManifest } from './manifest.ts'
import { readText } from './read-text.ts'

/**
 * Returns the parent folder, inside `checkout`, that has `root` as a workspace: npm, pnpm or Yarn installs there. Returns
 * undefined if `root` is not a workspace. Both arguments are real paths.
 */
export async function workspaceFolder(checkout: string, root: string): Promise<string | undefined> {
  for (let folder = root; folder !== checkout && folder.startsWith(checkout); ) {
    folder = dirname(folder)
    const all = await patternsOf(folder)
    const [included, excluded] = [false, true].map((isExcluded) =>
      all
        .filter((each) => each.startsWith('!') === isExcluded)
        .map((each) => each.replace(/^!/, '')),
    )
    if (included === undefined || included.length === 0) continue
    if (picomatch(included, { ignore: excluded ?? [] })(relative(folder, root))) return folder
  }
  return undefined
}

const list = z.array(z.string())
const patterns = z.union([list, z.object({ packages: list }).transform(({ packages }) => packages)])

/** Returns the patterns of `workspaces` in `package.json` and of `packages` in `pnpm-workspace.yaml`. */
async function patternsOf(folder: string): Promise<string[]> {
  const [manifest, text] = await Promise.all([
    readManifest(folder),
    readText(folder, 'pnpm-workspace.yaml'),
  ])
  const sources = [manifest?.all.workspaces, text === undefined ? undefined : parseYaml(text)]
  return sources.flatMap((source) => {
    const found = patterns.safeParse(source)
    if (!found.success) return []
    return found.data.map((pattern) => pattern.replace(/^(!?)\.?\/+|\/+$/g, '$1'))
  })
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 10 })
  } catch (error) {
    const [line] = (error as Error).message.split('\n')
    throw new DaemonError('unprocessable', `pnpm-workspace.yaml is not YAML: ${line}`, {
      cause: error,
    })
  }
}
