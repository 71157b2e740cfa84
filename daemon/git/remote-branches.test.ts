import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startHttpRemote } from '../../test/support/daemon/git/http-remote.ts'
import { createRepository, temporaryFolder } from '../../test/support/daemon/git/repository.ts'
import { redacted } from '../domain/redacted.ts'
import { createGit } from './git.ts'

const never = new AbortController().signal

async function setUp() {
  const root = temporaryFolder()
  const git = createGit({ folder: join(root, 'mirrors'), timeoutMs: 20_000, env: process.env })
  const repository = createRepository(join(root, 'repositories/shop'))
  repository.commit({ 'server.js': 'one' })
  repository.git('branch', 'topic/a')
  repository.git('tag', 'v1')
  const head = repository.git('rev-parse', 'HEAD')
  const remote = await startHttpRemote(join(root, 'repositories'), 'p4ss')
  const source = (token: string) => ({
    ...{ repoDir: null, repoUrl: `${remote.url}/shop`, context: '' },
    token: redacted(token),
  })
  return { root, git, remote, head, source }
}

describe('the branches of a remote', () => {
  test('are listed without tags and without a fetch, over http and from a folder', async () => {
    const { root, git, head, source } = await setUp()
    const expected = new Map([
      ['main', head],
      ['topic/a', head],
    ])
    expect(await git.remoteBranches(source('p4ss'), never)).toEqual(expected)
    const local = { ...source(''), repoUrl: null, repoDir: join(root, 'repositories/shop') }
    expect(await git.remoteBranches({ ...local, token: null }, never)).toEqual(expected)
    expect(await git.branches(source('p4ss'))).toEqual(new Map())
  })

  test('are found behind a redirect to the URL with .git, which git does not follow with a token', async () => {
    const { git, remote, head, source } = await setUp()
    remote.before = (request, response) => {
      if (request.url?.startsWith('/shop.git/')) {
        request.url = request.url.replace('/shop.git/', '/shop/')
        return false
      }
      response.writeHead(301, { location: `${remote.url}/shop.git/info/refs` }).end()
      return true
    }
    const found = await git.remoteBranches(source('p4ss'), never)
    expect(found.get('main')).toBe(head)
  })

  test('are refused with a reason that hides the token', async () => {
    const { git, source } = await setUp()
    const listing = git.remoteBranches(source('wr0ng-t0ken'), never)
    const error = await listing.catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'DaemonError' })
    expect(String(error)).not.toContain('wr0ng-t0ken')
  })
})
