import { basename } from 'node:path'
import type { Project } from '../../../../daemon/client/contract.ts'
import type { CommonOptions, Session } from '../connection/session.ts'
import { ClientError } from '../errors/client-error.ts'
import { listProjects } from '../projects/projects.ts'
import { git } from '../repository/git.ts'
import { hostedNameFrom, hostedRemoteOf, hostedUrl } from '../repository/hosted-remote.ts'
import { type Repository, readRepository } from '../repository/repository.ts'
import { runWithDaemon } from '../run/run-command.ts'

export interface RemoteOptions extends CommonOptions {
  /** Name of the hosted repository. */
  readonly project?: string
}

/**
 * `strata remote add`: adds a git remote for the repository that the daemon hosts, and registers the project if needed.
 * git asks `strata git-credential` for the token, so that no file of the repository contains it.
 */
export function addRemote(remote: string, options: RemoteOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { output, url, contextName } = session
    const repository = await readRepository(process.cwd())
    const hosted = await chooseName(session, repository, options.project)
    const address = hostedUrl(url, hosted)
    await requireFreeRemote(repository, remote, address)
    const project = await findOrRegister(session, repository, hosted)
    await setRemote(repository, remote, address)
    await setCredentialHelper(repository, address, contextName)
    const branch = repository.branch ?? 'main'
    output.result({ remote, url: address, project }, () => [
      `git push ${remote} ${branch}   deploys the branch to ${project.name}`,
    ])
  })
}

async function chooseName(
  { url }: Session,
  repository: Repository,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given
  const known = await hostedRemoteOf(repository, url)
  return known?.hosted ?? hostedNameFrom(basename(repository.root))
}

/** Throws ClientError if the name belongs to a remote with another URL. */
async function requireFreeRemote(
  { root }: Repository,
  remote: string,
  address: string,
): Promise<void> {
  const valid = await git(root, ['check-ref-format', `refs/remotes/${remote}/x`])
  if (valid.code !== 0 || remote.startsWith('-')) {
    throw new ClientError(`invalid name of a remote: ${JSON.stringify(remote)}`)
  }
  const present = await git(root, ['config', '--get', `remote.${remote}.url`])
  if (present.code !== 0 || present.stdout === address) return
  throw new ClientError(`the repository has a remote ${remote} with another URL`, {
    next: [`strata remote add ${remote}-2`, `git remote remove ${remote}`],
  })
}

async function findOrRegister(
  session: Session,
  { context }: Repository,
  hosted: string,
): Promise<Project> {
  const { client, output, signal } = session
  const known = (await listProjects(session)).find((project) => project.hosted === hosted)
  if (known && known.context === context) return known
  const body = { hosted, ...(context !== '' && { context }) }
  const { body: project } = await client.call('registerProject', { body }, { signal })
  output.note(`registered ${project.name}: the daemon hosts its repository`)
  return project
}

async function setRemote({ root }: Repository, remote: string, address: string): Promise<void> {
  const present = await git(root, ['config', '--get', `remote.${remote}.url`])
  if (present.code === 0) return
  await requireGit(root, ['remote', 'add', '--', remote, address])
}

/** Sets the helper for this URL alone. The empty entry first turns off the helpers of other settings files. */
async function setCredentialHelper(
  { root }: Repository,
  address: string,
  contextName: string,
): Promise<void> {
  const key = `credential.${address}`
  const [program = ''] = process.argv.slice(1)
  const words = [process.execPath, program, 'git-credential']
  if (contextName !== 'STRATA_HOST') words.push('--context', contextName)
  const helper = `!${words.map(quoted).join(' ')}`
  const present = await git(root, ['config', '--local', '--get-all', `${key}.helper`])
  if (present.stdout === `\n${helper}`) return
  await git(root, ['config', '--local', '--unset-all', `${key}.helper`])
  await requireGit(root, ['config', '--local', '--add', `${key}.helper`, ''])
  await requireGit(root, ['config', '--local', '--add', `${key}.helper`, helper])
  await requireGit(root, ['config', '--local', `${key}.useHttpPath`, 'true'])
}

/** git passes the helper to a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

async function requireGit(root: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await git(root, args)
  if (code !== 0) throw new ClientError(`git ${args[0]} failed: ${stderr.split('\n')[0] ?? ''}`)
}
