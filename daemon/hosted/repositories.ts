import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocks } from '../async/locks.ts'
import { repositoryVolume } from '../domain/hosted.ts'
import { DaemonError } from '../errors.ts'
import type { GitProgram, GitRun } from '../git/git-program.ts'
import type { BranchChange, Cell, HostedBranches, Repositories } from '../ports.ts'

export interface RepositoriesOptions {
  /** Absolute path of the folder of volumes. */
  readonly volumes: string
  readonly git: GitProgram
  /** The place where git reads pushes. */
  readonly cell: () => Promise<Cell>
}

const config = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogallrefupdates = false\n'

/**
 * Creates the adapter of hosted repositories. The user that reads pushes owns the objects alone: refs, HEAD and settings
 * belong to the daemon, so that a push changes them only through it.
 */
export function createRepositories({ volumes, git, cell }: RepositoriesOptions): Repositories {
  const locks = createLocks()
  const path = (projectId: number) => join(volumes, String(projectId), repositoryVolume)

  async function run(projectId: number, args: readonly string[], options: GitRun = {}) {
    const result = await git(args, { gitDir: path(projectId), timeoutMs: 60_000, ...options })
    return { ...result, text: result.stdout.toString('utf8') }
  }

  async function prepare(projectId: number): Promise<void> {
    const folder = path(projectId)
    await mkdir(join(volumes, String(projectId)), { recursive: true, mode: 0o711 })
    if (!(await isPresent(join(folder, 'HEAD')))) await create(folder)
    const { user, own } = await cell()
    await writeFile(join(folder, 'config'), config)
    if (!user) return
    await chown(folder, 0, user.gid)
    await chmod(folder, 0o750)
    await own(join(folder, 'objects'))
  }

  async function read(projectId: number): Promise<HostedBranches> {
    const listed = await run(
      projectId,
      ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/strata/'],
      { outputBytes: 64 * 2 ** 20 },
    )
    const head = await run(projectId, ['symbolic-ref', 'HEAD'])
    if (!listed.isOk || !head.isOk) throw unreadable(listed.stderr || head.stderr)
    const refs = listed.text.split('\n').flatMap((line) => {
      const at = line.indexOf(' ')
      return at < 0 ? [] : [[line.slice(at + 1), line.slice(0, at)] as const]
    })
    const below = (prefix: string) =>
      new Map(
        refs
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, id]) => [name.slice(prefix.length), id]),
      )
    return {
      defaultBranch: head.text.trim().replace(/^refs\/heads\//, ''),
      heads: below(prefixes.head),
      pending: below(prefixes.pending),
      before: below(prefixes.before),
    }
  }

  /** git lists the branches first, then copies all their objects. */
  async function copyAll(folder: string): Promise<{ path: string; reason: string }[]> {
    const faults: { path: string; reason: string }[] = []
    for (const name of await readdir(volumes).catch(() => [])) {
      const from = join(volumes, name, repositoryVolume)
      if (!/^[1-9]\d*$/.test(name) || !(await isPresent(join(from, 'HEAD')))) continue
      const to = join(folder, name, repositoryVolume)
      await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
      const args = ['clone', '--quiet', '--mirror', '--template=', '--', from, to]
      const copied = await git(args, { allow: 'file', timeoutMs: 900_000 })
      if (copied.isOk) continue
      await rm(to, { recursive: true, force: true })
      const reason = copied.stderr.trim().split('\n').at(-1)?.slice(0, 500) || 'git failed'
      faults.push({ path: `${name}/${repositoryVolume}`, reason })
    }
    return faults
  }

  return {
    path,
    ensure: (projectId) => locks.run(projectId, () => prepare(projectId)),
    read,

    async update(projectId, changes) {
      if (changes.length === 0) return
      const current = await read(projectId)
      const input = changes.map((change) => commandsOf(change, current)).join('')
      const result = await run(projectId, ['update-ref', '--stdin', '-z'], { input })
      if (result.isOk) return
      const { isStale, message } = faultOf(result.stderr)
      throw new DaemonError(isStale ? 'conflict' : 'unprocessable', message)
    },

    async setDefaultBranch(projectId, branch) {
      const result = await run(projectId, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`])
      if (!result.isOk) throw unreadable(result.stderr)
    },

    discardEmpty: (projectId) =>
      locks.run(projectId, async () => {
        if (!(await isPresent(path(projectId)))) return
        if ((await read(projectId)).heads.size > 0) {
          throw new DaemonError(
            'conflict',
            'the hosted repository of the project has branches: restore into a project with an empty one',
          )
        }
        await rm(path(projectId), { recursive: true })
      }),

    maintain: (projectId) =>
      locks.run('maintain', async () => {
        await run(projectId, ['pack-refs', '--all'], { timeoutMs: 300_000 })
        const args = ['repack', '-q', '-A', '-d', '-l', '--unpack-unreachable=1.month.ago']
        const result = await run(projectId, args, { timeoutMs: 900_000 })
        if (!result.isOk) throw unreadable(result.stderr)
      }),

    snapshot: (folder) => locks.run('maintain', () => copyAll(folder)),
  }
}

const prefixes = {
  head: 'refs/heads/',
  pending: 'refs/strata/pending/',
  before: 'refs/strata/before/',
} as const

/** Returns the input of `git update-ref --stdin -z` for a change. */
function commandsOf(change: BranchChange, current: HostedBranches): string {
  const { branch, expected, head } = change
  const zeros = '0'.repeat(40)
  const old = expected ?? zeros
  const name = `${prefixes.head}${branch}`
  const lines = [
    head === undefined
      ? `verify ${name}\0${old}\0`
      : head !== null
        ? `update ${name}\0${head}\0${old}\0`
        : expected === null
          ? ''
          : `delete ${name}\0${old}\0`,
  ]
  for (const kind of ['pending', 'before'] as const) {
    const value = change[kind]
    if (value) lines.push(`update ${prefixes[kind]}${branch}\0${value}\0\0`)
    if (value === null && current[kind].has(branch)) {
      lines.push(`delete ${prefixes[kind]}${branch}\0\0`)
    }
  }
  return lines.join('')
}

function faultOf(stderr: string): { isStale: boolean; message: string } {
  if (
    /(is at \w+ but expected|reference already exists|unable to resolve reference)/.test(stderr)
  ) {
    return {
      isStale: true,
      message: 'another push has changed the branch: fetch it, and push again',
    }
  }
  const [, other] = /'refs\/heads\/([^']+)' exists; cannot create/.exec(stderr) ?? []
  const message = other
    ? `a branch ${other} exists, and git stores branches as folders: choose another name`
    : `git refused the change: ${stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? ''}`
  return { isStale: false, message }
}

/** Creates an empty repository atomically. HEAD names `main` until the first push. */
async function create(folder: string): Promise<void> {
  const staged = `${folder}-${randomBytes(6).toString('hex')}`
  for (const name of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(join(staged, name), { recursive: true, mode: 0o755 })
  }
  await chmod(staged, 0o700)
  await writeFile(join(staged, 'config'), config)
  await writeFile(join(staged, 'HEAD'), 'ref: refs/heads/main\n', { flush: true })
  await rename(staged, folder)
}

function isPresent(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function unreadable(stderr: string): DaemonError {
  return new DaemonError('internal', `a hosted repository can't be used: ${stderr.slice(-500)}`)
}
