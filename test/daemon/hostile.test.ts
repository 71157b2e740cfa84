import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, push, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createRepository, plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, type Project, rowsOf } from '../support/stratad/project.ts'

/** All tests share one daemon: a refused request has no effect. */
let daemon: Daemon
let project: Project
/** The file that an injected command would create. */
let canary: string

beforeAll(async () => {
  daemon = await startDaemon()
  project = await createProject(daemon)
  canary = join(daemon.dataDir, 'canary')
})
afterAll(async () => {
  expect(existsSync(canary)).toBe(false)
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

describe('a hostile branch', () => {
  const touch = () => `touch${'$'}{IFS}${canary}`
  const names: readonly [string, () => string][] = [
    ['an option', () => `--upload-pack=${touch()}`],
    ['a short option', () => '-u'],
    ['a path traversal', () => '../../etc/passwd'],
    ['a range', () => 'main..topic'],
    ['a revision', () => 'main~1'],
    ['a reflog entry', () => 'main@{0}'],
    ['a space', () => 'a b'],
    ['a wildcard', () => '*'],
    ['a refspec', () => '+refs/heads/main:refs/heads/other'],
    ['a NUL', () => 'main\0--help'],
    ['two lines', () => 'main\nHost: evil'],
    ['HEAD', () => 'HEAD'],
    ['a lock file', () => 'main.lock'],
    ['markup', () => '<script>alert(1)</script> '],
  ]

  test.each(names)('named like %s is not deployed', async (_, name) => {
    const branch = name()
    const answer = await deploy(daemon, project, branch)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toEqual(expect.any(String))
    const back = { branch, to_sha: branch }
    expect((await call(daemon, 'POST', `/projects/${project.id}/rollback`, back)).status).toBe(400)
    const { status } = await push(daemon, { url: project.remote, branch, sha: 'f'.repeat(40) })
    expect([200, 400]).toContain(status)
    expect((await call(daemon, 'GET', '/queue')).body).toEqual([])
    expect(await rowsOf(daemon, project)).toEqual([])
  })

  test.each(['$(touch canary)', '`touch canary`', 'a;touch canary', "a'b", '&&id', '|id'])(
    'named %s runs no command',
    async (text) => {
      const branch = text.replace('touch canary', `touch$IFS${canary}`)
      expect((await deploy(daemon, project, branch)).status).toBe(404)
    },
  )
})

describe('a hostile repository', () => {
  test.each([
    'ext::sh -c "touch canary"',
    'ext::touch%20canary',
    'fd::3',
    'file:///etc',
    '/etc',
    'git://example.com/team/shop.git',
    'http://example.com/team/shop.git',
    'ftp://example.com/shop.git',
    '--upload-pack=touch canary',
    'ssh://-oProxyCommand=touch/shop',
    'git@-oProxyCommand=touch:shop',
    '-oProxyCommand=touch@example.com:shop',
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/shop',
    'https://[::ffff:169.254.169.254]/shop',
    'https://2852039166/shop',
    'https://0xa9fea9fe/shop',
    'https://0.0.0.0/shop',
    'https://example.com/../../etc',
    'https://example.com/a%2f..%2fb',
    'https://example.com',
    'https://example.com/a b',
    'https://example.com/a\nb',
  ])('at %s is refused', async (url) => {
    const answer = await call(daemon, 'POST', '/projects', { repo_url: url })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/repo_url/)
  })

  test('URL with a password is refused without repeating the password', async () => {
    const url = 'https://ada:very-hidden@example.com/team/shop.git'
    const answer = await call(daemon, 'POST', '/projects', { repo_url: url })
    expect(answer.status).toBe(400)
    expect(answer.text).not.toContain('very-hidden')
    expect(daemon.output()).not.toContain('very-hidden')
  })

  test.each(['..', '../', 'a/../../b', '/etc', 'a/../..', 'a\\..\\..', '.git', 'a\0b', '-C/etc'])(
    'with the context %s is refused or fails to deploy',
    async (context) => {
      const { folder } = project.repository
      const answer = await call(daemon, 'POST', '/projects', { repo_dir: folder, context })
      if (answer.status === 201) {
        const { id } = answer.body
        const deployed = await call(daemon, 'POST', `/projects/${id}/deploy`, { branch: 'main' })
        expect(deployed.status).toBe(422)
        expect((await call(daemon, 'DELETE', `/projects/${id}`)).status).toBe(204)
      } else {
        expect(answer.status).toBe(400)
      }
    },
  )

  test('behind a symlink is the same project as its target', async () => {
    const link = join(daemon.dataDir, 'repositories/link')
    symlinkSync(project.repository.folder, link)
    const answer = await call(daemon, 'POST', '/projects', { repo_dir: link })
    expect(answer).toMatchObject({ status: 201, body: { id: project.id } })
  })

  test.each<[string, string, string]>([
    ['a file of the host', 'passwd', '/etc/passwd'],
    ['a folder of the host', 'public', '/etc'],
    ['a parent folder', 'up', '../../..'],
  ])('with a symlink to %s is not deployed', async (_, name, target) => {
    const bad = createRepository(join(daemon.dataDir, `repositories/bad-${name}`))
    symlinkSync(target, join(bad.folder, name))
    bad.commit({})
    const { body } = await call(daemon, 'POST', '/projects', { repo_dir: bad.folder })
    const answer = await call(daemon, 'POST', `/projects/${body.id}/deploy`, { branch: 'main' })
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain(name)
    const inside = { repo_dir: bad.folder, context: name }
    const other = await call(daemon, 'POST', '/projects', inside)
    const there = await call(daemon, 'POST', `/projects/${other.body.id}/deploy`, {
      branch: 'main',
    })
    expect(there.status).toBe(422)
  })

  test.each(['root', 'start'])(
    'whose strata.json leaves the release with "%s" is not deployed',
    async (key) => {
      const bad = createRepository(join(daemon.dataDir, `repositories/climbs-${key}`), {
        ...plainApp,
        'strata.json': JSON.stringify({ deploy: { [key]: '../../../../../../etc' } }),
      })
      const { body } = await call(daemon, 'POST', '/projects', { repo_dir: bad.folder })
      const answer = await call(daemon, 'POST', `/projects/${body.id}/deploy`, { branch: 'main' })
      expect(answer.status).toBe(422)
    },
  )
})

describe('a host name with markup', () => {
  const markup = '<script>alert(1)</script>'

  test('is not repeated by the gateway', async () => {
    const answer = await visit(daemon, `${markup}.localhost`)
    expect([400, 404]).toContain(answer.status)
    expect(answer.text).not.toContain('<script>')
  })

  test('never makes the daemon answer with HTML', async () => {
    for (const header of ['x-forwarded-host', 'host']) {
      for (const path of ['/wake', '/heartbeat']) {
        const headers = { [header]: markup }
        const answer = await call(daemon, 'GET', path, undefined, { token: null, headers })
        expect(String(answer.headers['content-type'])).not.toContain('html')
      }
    }
  })
})

test('the API rejects an unknown key and names it', async () => {
  const answer = await call(daemon, 'POST', '/tokens', { name: 'ci', project: [project.id] })
  expect(answer.status).toBe(400)
  expect(answer.body.error).toContain('project')
})

test('a restore gets 403 unless SERVICE_ALLOW_RESTORE is set', async () => {
  expect((await restore(daemon, Buffer.from('x'))).status).toBe(403)
  expect(existsSync(join(daemon.dataDir, 'restore'))).toBe(false)
})
