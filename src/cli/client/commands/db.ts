import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CommonOptions } from '../connection/session.ts'
import { backupSilenceMs, backupTimeoutMs } from '../connection/timeouts.ts'
import { ClientError } from '../errors/client-error.ts'
import { codeOf } from '../errors/error-text.ts'
import { findBranch, type TargetOptions } from '../projects/environments.ts'
import { requireProject } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'
import { byteProgress } from '../terminal/byte-progress.ts'
import { confirm } from '../terminal/confirm.ts'
import { printable } from '../terminal/printable.ts'
import { formatAge, formatBytes } from '../terminal/units.ts'
import { runShell } from './db-shell.ts'

type Options = CommonOptions & TargetOptions
type Asking = Options & { readonly yes?: boolean }

/** `strata db list` */
export function listDatabases(options: Options): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const input = { params: { id: project.id } }
    const { body } = await client.call('listDatabases', input, { signal })
    const now = Date.now()
    output.result(body, () =>
      body.length === 0
        ? ['the daemon has made no database for this project']
        : output.table(
            ['BRANCH', 'KIND', 'DATABASE', 'STATE', 'CREATED'],
            body.map(({ branch, kind, name, state, created_at }) => [
              ...[printable(branch), kind, name, state],
              formatAge(created_at, now),
            ]),
          ),
    )
  })
}

/** `strata db url`: prints the URL with its password. */
export function showUrl(branch: string | undefined, options: Options): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const body = await readUrl(session, branch, options)
    session.output.result(body, () => [body.url])
  })
}

/** `strata db shell`: runs the client program of the server. */
export function openShell(branch: string | undefined, options: Options): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { url } = await readUrl(session, branch, options)
    process.exitCode = await runShell(new URL(url))
  })
}

/** `strata db dump`: downloads a dump of one instant. A failed download leaves no file. */
export function dumpDatabase(
  branch: string | undefined,
  options: Options & { readonly output?: string },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, signal } = session
    const target = await findBranch(session, branch, options)
    const file = options.output ?? `${target.branch.replace(/[^\w.-]+/g, '-')}.dump`
    const part = `${file}.part`
    const answer = await client.open('dumpDatabase', {
      params: { id: target.project.id },
      query: { branch: target.branch },
      ...{ signal, timeoutMs: backupTimeoutMs, silenceMs: backupSilenceMs },
    })
    try {
      rmSync(part, { force: true })
      const sink = createWriteStream(part, { flags: 'wx', mode: 0o600 })
      await pipeline(answer, byteProgress('downloading'), sink, { signal })
      await rename(part, file)
    } catch (cause) {
      rmSync(part, { force: true })
      throw new ClientError(`the dump was not written (${codeOf(cause) ?? 'it broke off'})`, {
        cause,
      })
    }
    const bytes = statSync(file).size
    session.output.result({ file, bytes }, () => [`wrote ${file} (${formatBytes(bytes)})`])
  })
}

/** `strata db restore`: replaces the data of a branch by a dump. */
export function restoreDatabase(
  file: string,
  branch: string | undefined,
  options: Asking,
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const bytes = sizeOfFile(file)
    const { project, branch: name } = await findBranch(session, branch, options)
    await askToReplace(session, name, options, `strata db restore ${file} ${name} --yes`)
    const progress = byteProgress('uploading', { total: bytes })
    const source = createReadStream(file)
    source.once('error', (error) => progress.destroy(error))
    const { body } = await client.upload('restoreDatabase', source.pipe(progress), {
      ...{ bytes, signal, timeoutMs: backupTimeoutMs },
      params: { id: project.id },
      query: { branch: name },
    })
    output.result(body, () => replacedLines(body))
  })
}

/** `strata db copy`: replaces the data of a branch by the data of another branch. */
export function copyDatabase(from: string, to: string, options: Asking): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    await askToReplace(session, to, options, `strata db copy ${from} ${to} --yes`)
    const input = { params: { id: project.id }, body: { from, to } }
    const { body } = await client.call('copyDatabase', input, {
      ...{ signal, timeoutMs: backupTimeoutMs },
    })
    output.result(body, () => replacedLines(body))
  })
}

type Session = Parameters<typeof findBranch>[0]

async function readUrl(session: Session, branch: string | undefined, options: Options) {
  const { client, signal } = session
  const target = await findBranch(session, branch, options)
  const input = { params: { id: target.project.id }, body: { branch: target.branch } }
  return (await client.call('readDatabaseUrl', input, { signal })).body
}

function askToReplace(
  { output, signal }: Session,
  branch: string,
  { yes = false }: Asking,
  unattended: string,
): Promise<void> {
  const name = printable(branch)
  const question = {
    consequences: [
      `the present database of ${name} goes to the trash`,
      '  the app sleeps for a moment',
    ],
    question: `replace the data of ${name}?`,
    unattended,
    isGiven: yes,
  }
  return confirm(question, output, signal)
}

function replacedLines({ branch, trash_id: id }: { branch: string; trash_id: number }): string[] {
  return [
    `the data of ${printable(branch)} is replaced; the previous database is trash entry ${id}`,
  ]
}

function sizeOfFile(file: string): number {
  try {
    const stats = statSync(file)
    if (stats.isFile()) return stats.size
  } catch (cause) {
    throw new ClientError(`${file} can't be read (${codeOf(cause)})`, { cause })
  }
  throw new ClientError(`${file} is not a file`)
}
