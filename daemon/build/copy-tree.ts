import { randomBytes } from 'node:crypto'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DaemonError } from '../errors.ts'
import { type GroupEnd, runGroup } from '../spawn/run-group.ts'
import { removeTree } from '../trees.ts'

/**
 * Copies a folder, with symlinks and times, to a path that must not exist. `link` creates hard links, for read-only
 * trees: 0.15 s for 15,000 files, instead of 0.6 s for a copy of 490 MB. Uses the program `cp` on `path`, which is four
 * times faster than Node's own calls.
 */
export async function copyTree(
  from: string,
  to: string,
  options: { how: 'copy' | 'link'; path: string; signal: AbortSignal },
): Promise<void> {
  const { how, path, signal } = options
  const attempts = how === 'link' ? [['-al'], ...copies] : copies
  for (const flags of attempts) {
    const result = await cp([...flags, '--', from, to], path, signal)
    if (result.end.kind === 'exited' && result.end.code === 0) return
    await removeTree(to)
    signal.throwIfAborted()
    if (/No space left|Disk quota/i.test(result.stderr)) {
      throw new DaemonError('transient', 'the disk of the daemon host is full: free some space')
    }
    // Fall back: the flags fail with other versions of `cp`, across file systems, and above the limit of hard links.
    if (flags === attempts.at(-1)) {
      throw new DaemonError('internal', `copying ${from} failed: ${result.stderr.slice(0, 300)}`)
    }
  }
}

/** Renames a folder into `trashFolder`, then removes it in the background. `removed` resolves after the removal. */
export async function discardTree(
  tree: string,
  trashFolder: string,
): Promise<{ readonly removed: Promise<void> }> {
  await mkdir(trashFolder, { recursive: true })
  const aside = join(trashFolder, randomBytes(8).toString('hex'))
  try {
    await rename(tree, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { removed: Promise.resolve() }
    throw error
  }
  return { removed: removeTree(aside) }
}

const copies = [['-a', '--reflink=auto'], ['-a']]

async function cp(
  args: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<{ end: GroupEnd; stderr: string }> {
  let stderr = ''
  const end = await runGroup({
    command: 'cp',
    args,
    cwd: dirname(args.at(-1) ?? '/'),
    env: { PATH: path, LC_ALL: 'C' },
    timeoutMs: 600_000,
    graceMs: 1000,
    signal,
    onOutput: (chunk) => {
      stderr = (stderr + Buffer.from(chunk).toString('utf8')).slice(-2000)
    },
  })
  return { end, stderr }
}
