import { randomBytes } from 'node:crypto'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DaemonError } from '../errors.ts'
import type { GitProgram, GitResult } from './git-program.ts'
import { escapingLink } from './links.ts'

export interface CheckoutRequest {
  readonly gitDir: string
  readonly commitSha: string
  /** Folder inside the repository; `''` is its root. */
  readonly context: string
  /** Absolute path of the target folder. Must not exist; missing parents are created. */
  readonly folder: string
  /** Folder for the temporary index. */
  readonly scratchFolder: string
}

/** Thrown if git cannot read an object of the mirror. */
export class DamagedMirror extends Error {}

/**
 * Writes the files of a commit unchanged: without filters or line ending conversion, submodules as empty folders, no
 * `.git`. The folder appears atomically. Throws DamagedMirror. Throws DaemonError `unprocessable` if the context is not
 * a folder or a symlink leads out of it.
 */
export async function checkoutCommit(
  git: GitProgram,
  request: CheckoutRequest,
  signal: AbortSignal,
): Promise<void> {
  const { gitDir, folder } = request
  if (await lstat(folder).catch(() => undefined)) {
    throw new DaemonError('internal', 'the folder of a checkout must not exist')
  }
  const tree = await treeOf(git, request, signal)
  const id = randomBytes(6).toString('hex')
  const staged = join(dirname(folder), `.checkout-${id}`)
  const index = join(request.scratchFolder, `index-${id}`)
  await mkdir(request.scratchFolder, { recursive: true })
  await mkdir(dirname(staged), { recursive: true })
  // Only the daemon may enter: a running app of the project could replace folders while git writes into them.
  await mkdir(staged, { mode: 0o700 })
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  try {
    const files = git(['--work-tree=.', 'read-tree', '-u', '--reset', tree], {
      gitDir,
      cwd: staged,
      env: { GIT_INDEX_FILE: index },
      config: [['core.bare', 'false']],
      signal: stop,
    })
    const links = checkLinks(git, gitDir, tree, stop)
    const results = await Promise.allSettled([files, links])
    signal.throwIfAborted()
    const [written, checked] = results
    if (checked.status === 'rejected') throw checked.reason
    if (written.status === 'rejected') throw written.reason
    if (!written.value.isOk) throw failureOf(written.value)
    await rename(staged, folder)
  } catch (error) {
    await rm(staged, { recursive: true, force: true })
    throw error
  } finally {
    failed.abort()
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/** Returns the git revision of the context's tree. */
async function treeOf(
  git: GitProgram,
  { gitDir, commitSha, context }: CheckoutRequest,
  signal: AbortSignal,
): Promise<string> {
  if (context === '') return `${commitSha}^{tree}`
  const listed = await git(['ls-tree', '-z', '--full-tree', commitSha, '--', context], {
    gitDir,
    signal,
  })
  signal.throwIfAborted()
  if (!listed.isOk) throw failureOf(listed)
  const [entry] = entriesOf(listed.stdout)
  if (entry?.type === 'tree') return entry.sha
  throw new DaemonError('unprocessable', `the context ${context} ${faultOf(entry)} in this commit`)
}

function faultOf(entry: Entry | undefined): string {
  if (!entry) return 'does not exist'
  if (entry.type === 'commit') return 'is a submodule, which strata does not fetch,'
  return entry.mode === linkMode ? 'is a symlink, not a folder,' : 'is a file, not a folder,'
}

async function checkLinks(
  git: GitProgram,
  gitDir: string,
  tree: string,
  signal: AbortSignal,
): Promise<void> {
  const listed = await git(['ls-tree', '-r', '-z', '--full-tree', tree], {
    gitDir,
    outputBytes: 512 * 2 ** 20,
    signal,
  })
  if (!listed.isOk) throw failureOf(listed)
  const entries = entriesOf(listed.stdout).filter(({ mode }) => mode === linkMode)
  if (entries.length === 0) return
  const read = await git(['cat-file', '--batch'], {
    gitDir,
    input: `${entries.map(({ sha }) => sha).join('\n')}\n`,
    outputBytes: 64 * 2 ** 20,
    signal,
  })
  if (!read.isOk) throw failureOf(read)
  const targets = blobsOf(read.stdout)
  const links = new Map(entries.map(({ path }, index) => [path, targets[index] ?? '/']))
  const path = escapingLink(links)
  if (path === undefined) return
  const shown = [path, links.get(path) ?? ''].map((text) =>
    Buffer.from(text, 'latin1').toString('utf8'),
  )
  throw new DaemonError(
    'unprocessable',
    `the symlink ${shown[0]} leaves the deployed folder (to ${shown[1]?.slice(0, 200)}) or is circular: remove it`,
  )
}

interface Entry {
  readonly mode: string
  readonly type: string
  readonly sha: string
  /** Latin-1, one character per byte: git does not define an encoding of paths. */
  readonly path: string
}

const linkMode = '120000'

function entriesOf(output: Buffer): Entry[] {
  return output
    .toString('latin1')
    .split('\0')
    .flatMap((line) => {
      const [, mode = '', type = '', sha = '', path = ''] =
        /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
      return mode === '' ? [] : [{ mode, type, sha, path }]
    })
}

/** Parses the output of `cat-file --batch` into contents, one character per byte; undefined for a missing object. */
function blobsOf(output: Buffer): (string | undefined)[] {
  const text = output.toString('latin1')
  const found: (string | undefined)[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const size = / blob (\d+)$/.exec(text.slice(at, end))?.[1]
    const from = end + 1
    found.push(size === undefined ? undefined : text.slice(from, from + Number(size)))
    at = size === undefined ? from : from + Number(size) + 1
  }
  return found
}

function failureOf({ end, stderr }: GitResult): Error {
  if (end.kind === 'timed-out') {
    return new DaemonError('transient', 'the checkout took too long and was stopped')
  }
  if (/invalid path/i.test(stderr)) {
    const path = /invalid path '([^\n]*)'/.exec(stderr)?.[1] ?? ''
    return new DaemonError('unprocessable', `the commit contains a forbidden path: ${path}`)
  }
  if (/No space left|Disk quota/i.test(stderr)) {
    return new DaemonError('transient', 'the disk of the daemon host is too full for the checkout')
  }
  if (/unable to create file .*: File name too long/i.test(stderr)) {
    return new DaemonError(
      'unprocessable',
      'the commit contains a path that is too long for the daemon host',
    )
  }
  return new DamagedMirror(stderr.slice(-500))
}
