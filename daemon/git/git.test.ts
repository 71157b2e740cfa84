import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { startHttpRemote } from '../../test/support/daemon/git/http-remote.ts'
import { createRepository, temporaryFolder } from '../../test/support/daemon/git/repository.ts'
import { treeFiles } from '../../test/support/tree.ts'
import { redacted } from '../domain/redacted.ts'
import type { GitSource } from '../ports.ts'
import { createGit, type GitOptions } from './git.ts'

const never = new AbortController().signal

function setUp(options: Partial<GitOptions> = {}) {
  const root = temporaryFolder()
  const mirrors = join(root, 'mirrors')
  const git = createGit({ folder: mirrors, timeoutMs: 20_000, env: process.env, ...options })
  return { root, mirrors, git, repository: createRepository(join(root, 'repositories/shop')) }
}

function local(repoDir: string, context = ''): GitSource {
  return { repoDir, repoUrl: null, context, token: null }
}

function remote(repoUrl: string, token?: string): GitSource {
  return {
    repoDir: null,
    repoUrl,
    context: '',
    token: token === undefined ? null : redacted(token),
  }
}

describe('the default branch', () => {
  test('is the HEAD of a bare repository, or of the origin of a clone', async () => {
    const { root, git, repository } = setUp()
    repository.commit({ 'server.js': 'one' })
    repository.git('branch', 'trunk')
    const bare = join(root, 'repositories/shop.git')
    repository.git('clone', '--quiet', '--bare', '.', bare)
    repository.git('--git-dir', bare, 'symbolic-ref', 'HEAD', 'refs/heads/trunk')
    const clone = join(root, 'repositories/clone')
    repository.git('clone', '--quiet', bare, clone)
    repository.git('-C', clone, 'checkout', '--quiet', '-b', 'feature')
    for (const source of [local(bare), local(clone)]) {
      expect(await git.defaultBranch(source)).toBe(undefined)
      await git.fetch(source, never)
      expect(await git.defaultBranch(source)).toEqual({ name: 'trunk', isCheckout: false })
    }
    repository.git('--git-dir', bare, 'symbolic-ref', 'HEAD', 'refs/heads/absent')
    const other = createGit({ folder: join(root, 'other'), timeoutMs: 20_000, env: process.env })
    await other.fetch(local(bare), never)
    expect(await other.defaultBranch(local(bare))).toBe(undefined)
  })

  test('is the checked-out branch of a repository without origin', async () => {
    const { git, repository } = setUp()
    repository.commit({ 'server.js': 'one' })
    await git.fetch(local(repository.folder), never)
    expect(await git.defaultBranch(local(repository.folder))).toEqual({
      name: 'main',
      isCheckout: true,
    })
  })
})

describe('a local repository', () => {
  test('is mirrored with its branches, commits and files', async () => {
    const { root, git, repository } = setUp()
    const first = repository.commit({ 'server.js': 'one', 'public/a.css': 'a' })
    repository.git('checkout', '--quiet', '-b', 'feature/x')
    const second = repository.commit({ 'server.js': 'two' })
    const source = local(repository.folder)
    expect(await git.head(source, 'main')).toBe(undefined)
    await git.fetch(source, never)
    expect(await git.head(source, 'main')).toBe(first)
    expect(await git.branches(source)).toEqual(
      new Map([
        ['feature/x', second],
        ['main', first],
      ]),
    )
    expect(await git.has(source, first)).toBe(true)
    expect(await git.has(source, 'f'.repeat(40))).toBe(false)
    expect(await git.has(source, '--help')).toBe(false)
    await git.checkout(source, first, join(root, 'out/release'), never)
    expect(treeFiles(join(root, 'out/release'))).toEqual(
      new Map([
        ['public/a.css', 'a'],
        ['server.js', 'one'],
      ]),
    )
  })

  test('is checked out as committed, regardless of its work tree', async () => {
    const { root, git, repository } = setUp()
    const sha = repository.commit({ 'server.js': 'committed' })
    writeFileSync(join(repository.folder, 'server.js'), 'dirty')
    writeFileSync(join(repository.folder, 'untracked.js'), 'dirty')
    await git.fetch(local(repository.folder), never)
    await git.checkout(local(repository.folder), sha, join(root, 'out'), never)
    expect(treeFiles(join(root, 'out'))).toEqual(new Map([['server.js', 'committed']]))
  })

  test('can be bare, shallow, a linked work tree or in SHA-256 format', async () => {
    const { root, git, repository } = setUp()
    repository.commit({ a: '0' })
    const sha = repository.commit({ a: '1' })
    const at = (name: string) => join(root, 'repositories', name)
    repository.git('clone', '--quiet', '--bare', '.', at('bare.git'))
    repository.git('clone', '--quiet', '--depth=1', `file://${repository.folder}`, at('shallow'))
    repository.git('worktree', 'add', '--quiet', '-b', 'other', at('tree'))
    for (const name of ['bare.git', 'shallow', 'tree']) {
      await git.fetch(local(at(name)), never)
      expect(await git.head(local(at(name)), 'main'), name).toBe(sha)
      await git.checkout(local(at(name)), sha, join(root, 'out', name), never)
    }
    const sha256 = createRepository(at('sha256'), '--object-format=sha256')
    const long = sha256.commit({ a: '2' })
    await git.fetch(local(sha256.folder), never)
    expect(await git.head(local(sha256.folder), 'main')).toBe(long)
    expect(await git.has(local(sha256.folder), long)).toBe(true)
    await git.checkout(local(sha256.folder), long, join(root, 'out/sha256'), never)
    expect(readFileSync(join(root, 'out/sha256/a'), 'utf8')).toBe('2')
  })

  test('is refused if the folder is not a repository', async () => {
    const { root, git, repository } = setUp()
    mkdirSync(join(root, 'empty'))
    repository.commit({ 'sub/a': 'a' })
    for (const folder of ['empty', 'absent', 'repositories/shop/sub']) {
      await expect(git.fetch(local(join(root, folder)), never)).rejects.toMatchObject({
        kind: 'unprocessable',
        message: expect.stringContaining('is not a git repository'),
      })
    }
    for (const path of ['-x', 'relative', 'ext::sh -c id']) {
      await expect(git.fetch(local(path), never)).rejects.toMatchObject({ kind: 'bad-request' })
    }
  })

  test('has a key that comes from its origin remote', async () => {
    const { root, git, repository } = setUp()
    expect(await git.originOf(repository.folder)).toBe(null)
    repository.git('remote', 'add', 'origin', 'https://me:secret@Git.Example.com/Team/Shop.git')
    expect(await git.originOf(repository.folder)).toBe('git.example.com/team/shop')
    repository.commit({ 'sub/a': 'a' })
    expect(await git.originOf(join(repository.folder, 'sub'))).toBe(null)
    repository.git('worktree', 'add', '--quiet', join(root, 'tree'))
    expect(await git.originOf(join(root, 'tree'))).toBe('git.example.com/team/shop')
    repository.git('remote', 'set-url', 'origin', 'git@git.example.com:team/other.git')
    expect(await git.originOf(repository.folder)).toBe('git.example.com/team/other')
    repository.git('remote', 'set-url', 'origin', '/somewhere/else')
    expect(await git.originOf(repository.folder)).toBe(null)
    expect(await git.originOf(join(root, 'absent'))).toBe(null)
  })

  test('cannot run its hooks, filters or other programs', async () => {
    const { root, git, repository } = setUp()
    const proof = join(root, 'proof')
    const program = join(root, 'program')
    writeFileSync(program, `#!/bin/sh\ntouch ${proof}\ncat\n`, { mode: 0o755 })
    const sha = repository.commit({
      '.gitattributes': '* filter=mine diff=mine export-subst\n',
      'a.txt': '$Format:%H$ $Id$\n',
      '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c id\n',
    })
    for (const name of [
      'filter.mine.smudge',
      'filter.mine.process',
      'core.fsmonitor',
      'core.sshCommand',
      'uploadpack.packObjectsHook',
    ])
      repository.git('config', name, program)
    for (const hook of [
      'post-checkout',
      'pre-upload',
      'reference-transaction',
      'post-index-change',
    ])
      writeFileSync(join(repository.folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${proof}\n`, {
        mode: 0o755,
      })
    await git.fetch(local(repository.folder), never)
    await git.checkout(local(repository.folder), sha, join(root, 'out'), never)
    expect(readFileSync(join(root, 'out/a.txt'), 'utf8')).toBe('$Format:%H$ $Id$\n')
    expect(existsSync(proof)).toBe(false)
  })
})

describe('a git fetch', () => {
  test('follows pushes, forced pushes, renames and deletions', async () => {
    const { git, repository } = setUp()
    const source = local(repository.folder)
    repository.commit({ a: '1' })
    repository.git('branch', 'topic')
    await git.fetch(source, never)
    expect([...(await git.branches(source)).keys()]).toEqual(['main', 'topic'])
    const amended = repository.git('commit-tree', '-m', 'rewritten', 'HEAD^{tree}')
    repository.git('update-ref', 'refs/heads/main', amended)
    // Replaces a branch with a folder of branches.
    repository.git('branch', '-D', 'topic')
    repository.git('branch', 'topic/one')
    repository.git('tag', 'v1')
    await git.fetch(source, never)
    expect(await git.branches(source)).toEqual(
      new Map([
        ['main', amended],
        ['topic/one', amended],
      ]),
    )
    repository.git('branch', '-D', 'topic/one')
    await git.fetch(source, never)
    expect(await git.head(source, 'topic/one')).toBe(undefined)
  })

  test('is shared only by callers that asked before it started', async () => {
    const { root, git } = setUp()
    const origin = createRepository(join(root, 'web/shop.git'))
    origin.commit({ a: '1' })
    const http = await startHttpRemote(join(root, 'web'))
    const source = remote(`${http.url}/shop.git/.git`)
    let second = ''
    const later: Promise<void>[] = []
    http.before = () => {
      // The running fetch may miss this push, so these callers wait for the next fetch.
      if (second === '') {
        second = origin.commit({ a: '2' })
        later.push(...Array.from({ length: 5 }, () => git.fetch(source, never)))
      }
      return false
    }
    await Promise.all(Array.from({ length: 10 }, () => git.fetch(source, never)))
    const asked = () => http.requests.filter((line) => line.startsWith('GET')).length
    await Promise.all(later)
    // The third request reads HEAD, once an hour.
    expect(asked()).toBe(3)
    expect(await git.head(source, 'main')).toBe(second)
  })

  test('keeps repositories with the same last path segment apart', async () => {
    const { root, git } = setUp()
    const one = createRepository(join(root, 'web/org1/app')).commit({ a: 'one' })
    const two = createRepository(join(root, 'web/org2/app')).commit({ a: 'two' })
    const http = await startHttpRemote(join(root, 'web'))
    const sources = ['org1', 'org2'].map((name) => remote(`${http.url}/${name}/app/.git`))
    await Promise.all(sources.map((source) => git.fetch(source, never)))
    expect(await Promise.all(sources.map((source) => git.head(source, 'main')))).toEqual([one, two])
  })

  test('is aborted when all its callers have left', async () => {
    const { root, git } = setUp()
    createRepository(join(root, 'web/shop')).commit({ a: '1' })
    const http = await startHttpRemote(join(root, 'web'))
    const source = remote(`${http.url}/shop/.git`)
    let isClosed = false
    const asked = new Promise<void>((resolve) => {
      http.before = (request) => {
        request.on('close', () => {
          isClosed = true
        })
        resolve()
        return true
      }
    })
    const [one, two] = [new AbortController(), new AbortController()]
    const both = [git.fetch(source, one.signal), git.fetch(source, two.signal)]
    await asked
    one.abort(new Error('one has gone'))
    await expect(both[0]).rejects.toThrow('one has gone')
    expect(isClosed).toBe(false)
    two.abort(new Error('two has gone'))
    await expect(both[1]).rejects.toThrow('two has gone')
    expect(await eventually(() => isClosed, 5000)).toBe(true)
    http.before = () => false
    await git.fetch(source, never)
    expect((await git.branches(source)).size).toBe(1)
  })
})

describe('a git remote', () => {
  test('gets the token in a header, and other processes cannot see the token', async () => {
    const { root, mirrors, git } = setUp()
    const sha = createRepository(join(root, 'web/shop')).commit({ a: '1' })
    const token = 'tok-very-secret-0123456789'
    const http = await startHttpRemote(join(root, 'web'), token)
    const url = `${http.url}/shop/.git`
    const seen: string[] = []
    http.before = () => {
      seen.push(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }))
      return false
    }
    await git.fetch(remote(url, token), never)
    expect(await git.head(remote(url, token), 'main')).toBe(sha)
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64')
    expect(seen.join()).toContain('remote-http')
    for (const secret of [token, basic]) {
      expect(seen.join()).not.toContain(secret)
      expect([...treeFiles(mirrors).values()].join()).not.toContain(secret)
    }
    const refused = await git.fetch(remote(url, 'another-token-987'), never).catch((error) => error)
    expect(refused).toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/refused the git_token/),
    })
    expect(JSON.stringify([refused.message, refused.stack])).not.toContain('another-token')
    await expect(git.fetch(remote(url), never)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/asks for a credential/),
    })
    await git.fetch(remote(url, `someone:${token}`), never)
    expect(http.requests.at(-1)).toContain(Buffer.from(`someone:${token}`).toString('base64'))
  })

  test('that redirects does not receive a forwarded token', async () => {
    const { root, git } = setUp()
    createRepository(join(root, 'web/shop')).commit({ a: '1' })
    const target = await startHttpRemote(join(root, 'web'))
    const http = await startHttpRemote(join(root, 'web'))
    http.before = (request, response) => {
      response.writeHead(301, { location: `${target.url}${request.url}` }).end()
      return true
    }
    await git.fetch(remote(`${http.url}/shop/.git`), never)
    const asked = target.requests.length
    expect(asked).toBeGreaterThan(0)
    await expect(
      git.fetch(remote(`${http.url}/shop/.git`, 'a-token'), never),
    ).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/moved/),
    })
    expect(target.requests.length).toBe(asked)
  })

  test('that needs the suffix .git is fetched with the suffix and the token', async () => {
    const { root, git } = setUp()
    const sha = createRepository(join(root, 'web/shop.git')).commit({ a: '1' })
    const http = await startHttpRemote(join(root, 'web'), 'a-token')
    http.before = (request, response) => {
      const url = request.url ?? ''
      if (url.startsWith('/shop/')) {
        response.writeHead(301, { location: url.replace('/shop/', '/shop.git/') }).end()
        return true
      }
      request.url = url.replace('/shop.git/', '/shop.git/.git/')
      return false
    }
    const source = remote(`${http.url}/shop`, 'a-token')
    await git.fetch(source, never)
    expect(await git.head(source, 'main')).toBe(sha)
    const before = http.requests.length
    await git.fetch(source, never)
    expect(http.requests[before]).toContain('/shop.git/')
  })

  test('that is missing, unreachable or broken causes a distinct error', async () => {
    const { root, git } = setUp()
    const http = await startHttpRemote(root)
    await expect(git.fetch(remote(`${http.url}/absent`), never)).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringMatching(/has no such repository/),
    })
    http.before = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    await expect(git.fetch(remote(`${http.url}/shop`), never)).rejects.toMatchObject({
      kind: 'transient',
    })
    http.before = (_, response) => {
      response.socket?.destroy()
      return true
    }
    await expect(git.fetch(remote(`${http.url}/shop`), never)).rejects.toMatchObject({
      kind: 'transient',
    })
    await expect(git.fetch(remote('http://127.0.0.1:1/shop'), never)).rejects.toMatchObject({
      kind: 'transient',
    })
    await expect(git.fetch(remote('https://host.invalid/shop'), never)).rejects.toMatchObject({
      kind: 'transient',
    })
    await expect(git.fetch(remote('ssh://git@127.0.0.1:1/shop'), never)).rejects.toMatchObject({
      kind: 'transient',
    })
  })

  test.each(['http', 'ssh'])(
    'that never answers over %s fails the fetch and leaves no process',
    async (protocol) => {
      const { git, mirrors } = setUp({ silenceMs: 300 })
      const server = createServer(() => {})
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const port = (server.address() as { port: number }).port
      await expect(
        git.fetch(remote(`${protocol}://127.0.0.1:${port}/shop`), never),
      ).rejects.toMatchObject({
        kind: 'transient',
        message: expect.stringMatching(/did not answer for 1 s/),
      })
      const left = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(mirrors)
      expect(await eventually(() => !left(), 2000)).toBe(true)
    },
  )
})

describe('a git mirror', () => {
  test('recovers from the locks and partial packs of a killed git', async () => {
    const { root, mirrors, git, repository } = setUp()
    const source = local(repository.folder)
    repository.commit({ a: '1' })
    await git.fetch(source, never)
    const path = join(mirrors, readdirSync(mirrors).find((name) => name.endsWith('.git')) ?? '')
    for (const lock of [
      'packed-refs.lock',
      'HEAD.lock',
      'refs/heads/main.lock',
      'shallow.lock',
      'objects/pack/tmp_pack_x',
    ]) {
      writeFileSync(join(path, lock), '')
    }
    const sha = repository.commit({ a: '2' })
    const next = createGit({ folder: mirrors, timeoutMs: 20_000, env: process.env })
    await next.fetch(source, never)
    expect(await next.head(source, 'main')).toBe(sha)
    expect(existsSync(join(path, 'objects/pack/tmp_pack_x'))).toBe(false)
    await next.checkout(source, sha, join(root, 'out'), never)
  })

  test.each([
    [
      'a corrupt branch file',
      (path: string) => writeFileSync(join(path, 'refs/heads/main'), 'rubbish'),
    ],
    ['no HEAD', (path: string) => rmSync(join(path, 'HEAD'))],
    ['no objects', (path: string) => rmSync(join(path, 'objects'), { recursive: true })],
    ['a truncated config', (path: string) => writeFileSync(join(path, 'config'), '[core')],
  ])('with %s is rebuilt', async (_, breakIt) => {
    const { root, mirrors, git, repository } = setUp()
    const source = local(repository.folder)
    repository.commit({ a: '1' })
    await git.fetch(source, never)
    const path = join(mirrors, readdirSync(mirrors).find((name) => name.endsWith('.git')) ?? '')
    breakIt(path)
    const sha = repository.commit({ a: '2' })
    await git.fetch(source, never)
    expect(await git.head(source, 'main')).toBe(sha)
    await git.checkout(source, sha, join(root, 'out'), never)
    expect(readdirSync(mirrors).filter((name) => name.includes('staged'))).toEqual([])
  })

  test('with a truncated object is rebuilt by the fetch after the failed checkout', async () => {
    const { root, mirrors, git, repository } = setUp()
    const source = local(repository.folder)
    const sha = repository.commit({ a: 'text' })
    await git.fetch(source, never)
    const path = join(mirrors, readdirSync(mirrors).find((name) => name.endsWith('.git')) ?? '')
    const blob = repository.git('rev-parse', 'HEAD:a')
    const file = join(path, 'objects', blob.slice(0, 2), blob.slice(2))
    rmSync(file, { force: true })
    writeFileSync(file, '')
    truncateSync(file, 0)
    await expect(git.checkout(source, sha, join(root, 'out'), never)).rejects.toMatchObject({
      kind: 'transient',
    })
    expect(existsSync(join(root, 'out'))).toBe(false)
    await git.fetch(source, never)
    await git.checkout(source, sha, join(root, 'out'), never)
    expect(readFileSync(join(root, 'out/a'), 'utf8')).toBe('text')
  })

  test('survives kill -9 of the daemon during a pack', async () => {
    const { root, git, mirrors } = setUp()
    const origin = createRepository(join(root, 'web/shop'))
    // Enough files to make git write a pack instead of loose objects.
    const names = Array.from({ length: 150 }, (_, index) => `file-${index}`)
    const sha = origin.commit(
      Object.fromEntries(names.map((name) => [name, randomBytes(15_000).toString('base64')])),
    )
    const http = await startHttpRemote(join(root, 'web'))
    const source = remote(`${http.url}/shop/.git`)
    const isHalfSent = new Promise<void>((resolve) => {
      http.before = (request, response) => {
        if (request.method !== 'POST') return false
        let sent = 0
        const write = response.write.bind(response)
        const end = response.end.bind(response)
        response.end = () => (sent < 1_000_000 ? end() : response)
        response.write = (chunk: Buffer) => {
          if (sent < 1_000_000) write(chunk)
          sent += chunk.byteLength
          if (sent >= 1_000_000) resolve()
          return true
        }
        return false
      }
    })
    const program = `
      import { createGit } from ${JSON.stringify(join(import.meta.dirname, 'git.ts'))}
      const git = createGit({ folder: ${JSON.stringify(mirrors)}, timeoutMs: 60_000, env: process.env })
      await git.fetch(${JSON.stringify(source)}, new AbortController().signal)`
    const daemon = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', program],
      {
        stdio: 'ignore',
      },
    )
    await isHalfSent
    expect(await eventually(() => partialFiles(mirrors).length > 0, 5000)).toBe(true)
    daemon.kill('SIGKILL')
    expect(await eventually(() => markedPids(mirrors).length > 0, 5000)).toBe(true)
    http.before = () => false
    await git.fetch(source, never)
    expect(markedPids(mirrors)).toEqual([])
    expect(partialFiles(mirrors)).toEqual([])
    await git.checkout(source, sha, join(root, 'out'), never)
    expect(readdirSync(join(root, 'out')).sort()).toEqual(names.sort())
  })

  test('is removed with its project during a fetch', async () => {
    const { root, git, mirrors } = setUp()
    const http = await startHttpRemote(root)
    const asked = new Promise<void>((resolve) => {
      http.before = () => {
        resolve()
        return true
      }
    })
    const source = remote(`${http.url}/shop`)
    const fetching = git.fetch(source, never)
    await asked
    await Promise.all([
      expect(fetching).rejects.toThrow('the project was removed'),
      git.remove(source),
    ])
    expect(readdirSync(mirrors).filter((name) => name.endsWith('.git'))).toEqual([])
  })

  test('is removed with its project', async () => {
    const { git, mirrors, repository } = setUp()
    const source = local(repository.folder)
    const sha = repository.commit({ a: '1' })
    await git.fetch(source, never)
    await git.remove(source)
    expect(readdirSync(mirrors).filter((name) => name.endsWith('.git'))).toEqual([])
    expect(await git.has(source, sha)).toBe(false)
    expect(await git.head(source, 'main')).toBe(undefined)
    await git.remove(source)
  })
})

describe('a git checkout', () => {
  test('of a context has only the files of the context', async () => {
    const { root, git, repository } = setUp()
    const sha = repository.commit({
      'apps/web/server.js': 'web',
      'apps/api/server.js': 'api',
      top: 'top',
    })
    await git.fetch(local(repository.folder), never)
    await git.checkout(local(repository.folder, 'apps/web'), sha, join(root, 'out'), never)
    expect(treeFiles(join(root, 'out'))).toEqual(new Map([['server.js', 'web']]))
  })

  test('of a context that is not a folder is refused', async () => {
    const { root, git, repository } = setUp()
    const sha = repository.commit({ 'a/file': 'x', 'b[1]/y': 'y', link: { link: 'a' } })
    await git.fetch(local(repository.folder), never)
    for (const [context, why] of [
      ['absent', 'does not exist'],
      ['b*', 'does not exist'],
      ['a/file', 'is a file'],
      ['link', 'is a symlink'],
      ['link/file', 'does not exist'],
    ] as const) {
      await expect(
        git.checkout(local(repository.folder, context), sha, join(root, 'out'), never),
      ).rejects.toMatchObject({ kind: 'unprocessable', message: expect.stringContaining(why) })
    }
    expect(readdirSync(root).sort()).toEqual(['mirrors', 'repositories'])
  })

  test.each([
    ['absolute', { link: { link: '/etc/passwd' } }],
    ['climbing', { 'a/link': { link: '../../outside' } }],
    ['through another', { 'a/b/here': { link: '../..' }, link: { link: 'a/b/here/../x' } }],
  ] as const)('with a symlink that leaves the folder (%s) is refused', async (_, files) => {
    const { root, git, repository } = setUp()
    const sha = repository.commit(files)
    await git.fetch(local(repository.folder), never)
    await expect(
      git.checkout(local(repository.folder), sha, join(root, 'out'), never),
    ).rejects.toMatchObject({ kind: 'unprocessable', message: expect.stringContaining('symlink') })
    expect(readdirSync(root).sort()).toEqual(['mirrors', 'repositories'])
  })

  test('keeps links inside the folder, file modes and unusual names', async () => {
    const { root, git, repository } = setUp()
    const files = {
      'a b/ü\n"x".txt': '1',
      'run.sh': '#!/bin/sh\n',
      'a b/link': { link: '../run.sh' },
    }
    writeFileSync(join(repository.folder, 'x'), '')
    repository.commit(files)
    repository.git('update-index', '--chmod=+x', 'run.sh')
    repository.git('commit', '--quiet', '-m', 'mode')
    const sha = repository.git('rev-parse', 'HEAD')
    await git.fetch(local(repository.folder), never)
    await git.checkout(local(repository.folder), sha, join(root, 'out'), never)
    expect(readFileSync(join(root, 'out/a b/ü\n"x".txt'), 'utf8')).toBe('1')
    expect(readlinkSync(join(root, 'out/a b/link'))).toBe('../run.sh')
    expect(lstatSync(join(root, 'out/run.sh')).mode & 0o111).not.toBe(0)
  })

  test('of a commit that contains a .git is refused', async () => {
    const { root, git, repository } = setUp()
    repository.commit({ a: '1' })
    const blob = repository.git('rev-parse', 'HEAD:a')
    const entry = `100644 .git\0${Buffer.from(blob, 'hex').toString('latin1')}`
    const tree = execFileSync(
      'git',
      ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'],
      {
        cwd: repository.folder,
        input: Buffer.from(entry, 'latin1'),
        encoding: 'utf8',
      },
    ).trim()
    repository.git('update-ref', 'refs/heads/evil', repository.git('commit-tree', '-m', 'x', tree))
    await git.fetch(local(repository.folder), never)
    const sha = (await git.head(local(repository.folder), 'evil')) ?? ''
    await expect(
      git.checkout(local(repository.folder), sha, join(root, 'out'), never),
    ).rejects.toMatchObject({
      kind: 'unprocessable',
      message: expect.stringContaining('.git'),
    })
  })

  test('of an unknown commit, or into an existing folder, is refused', async () => {
    const { root, git, repository } = setUp()
    const sha = repository.commit({ a: '1' })
    const source = local(repository.folder)
    await git.fetch(source, never)
    await expect(
      git.checkout(source, 'e'.repeat(40), join(root, 'out'), never),
    ).rejects.toMatchObject({
      kind: 'unprocessable',
    })
    await git.checkout(source, sha, join(root, 'out'), never)
    await expect(git.checkout(source, sha, join(root, 'out'), never)).rejects.toMatchObject({
      kind: 'internal',
    })
    await expect(
      git.checkout(source, sha, join(root, 'o2'), AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone')
    expect(readdirSync(root).sort()).toEqual(['mirrors', 'out', 'repositories'])
  })

  test('of a commit that a forced push removed still works for a while', async () => {
    const { root, git, repository } = setUp()
    const source = local(repository.folder)
    const old = repository.commit({ a: 'old' })
    await git.fetch(source, never)
    repository.git(
      'update-ref',
      'refs/heads/main',
      repository.git('commit-tree', '-m', 'x', 'HEAD^{tree}'),
    )
    await git.fetch(source, never)
    expect(await git.has(source, old)).toBe(true)
    await git.checkout(source, old, join(root, 'out'), never)
  })

  test('works after the data folder was moved', async () => {
    const { root, mirrors, git, repository } = setUp()
    const source = local(repository.folder)
    const sha = repository.commit({ a: '1' })
    await git.fetch(source, never)
    renameSync(mirrors, join(root, 'moved'))
    const next = createGit({ folder: join(root, 'moved'), timeoutMs: 20_000, env: process.env })
    await next.checkout(source, sha, join(root, 'out'), never)
    expect(existsSync(join(root, 'out/a'))).toBe(true)
  })
})

/** Returns partial packs and locks. */
function partialFiles(mirrors: string): string[] {
  const names = readdirSync(mirrors, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.includes('tmp_pack') || name.endsWith('.lock'))
}

/** Returns the pids of git processes of a folder of mirrors. */
function markedPids(mirrors: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      return environment.includes(`STRATA_GIT_FOLDER=${mirrors}`)
    } catch {
      return false
    }
  })
}
