import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { visit } from '../support/stratad/call.ts'
import { type Host, noWalls, remoteOf, startHost } from '../support/walls/host.ts'
import { hostileApp } from '../support/walls/hostile-app.ts'
import { deployHostile, deployVictim, type Hostile, type Victim } from '../support/walls/tenants.ts'

const remote = remoteOf('victim')
const commitOf = (digit: string) => digit.repeat(40)

describe.skipIf(noWalls)(`a hostile app${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  let host: Host
  let victim: Victim
  let hostile: Hostile
  /** Folder outside of the private temporary folders. A file in it shows that a command ran as root. */
  let outside: string

  beforeAll(async () => {
    outside = mkdtempSync('/var/lib/strata-walls-')
    host = await startHost()
    victim = await deployVictim(host)
    hostile = await deployHostile(host)
  })
  afterAll(async () => {
    await host.remove()
    rmSync(outside, { recursive: true })
  })

  const pushOf = (deleted: boolean) =>
    JSON.stringify({
      ref: 'refs/heads/main',
      before: commitOf('1'),
      after: deleted ? commitOf('0') : commitOf('2'),
      deleted,
      repository: { full_name: 'walls/victim', clone_url: remote, html_url: remote },
    })

  test.each(['github', 'gitlab', 'gitea', 'gogs'])(
    'guesses no signature of a webhook of %s',
    async (kind) => {
      const body = pushOf(true)
      const guesses = ['', 'secret', 'null', 'undefined', 'stratad', '0'.repeat(64)]
      const signatures = guesses.map((secret) =>
        createHmac('sha256', secret).update(body).digest('hex'),
      )
      const values = [...signatures, ...guesses, 'sha1=', `sha256=${signatures[0]?.slice(0, 8)}`]
      const headers = values.flatMap((value) => [
        { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${value}` },
        { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': value },
        { 'x-gitea-event': 'push', 'x-gitea-signature': value },
        { 'x-gogs-event': 'push', 'x-gogs-signature': value },
      ])
      const statuses = await hostile.attack(
        async ({ fetchText }, input) => {
          const found: number[] = []
          for (const one of [{}, ...input.headers]) {
            const all = { ...one, 'content-type': 'application/json' } as Record<string, string>
            found.push(
              (await fetchText(input.url, { method: 'POST', headers: all, body: input.body }))
                .status,
            )
          }
          return found
        },
        { url: `${host.daemon.url}/webhooks/${kind}`, headers, body },
      )
      expect([...new Set(statuses)]).toEqual([401])
      expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
    },
  )

  test("can't deploy or delete a neighbor's branch with the webhook secret of its own project", async () => {
    const made = await host.call('POST', `/projects/${hostile.id}/webhook-secret`)
    expect([200, 201]).toContain(made.status)
    const secret = String(made.body.webhook_secret ?? made.body.secret)
    expect(secret.length).toBeGreaterThan(20)
    for (const deleted of [false, true]) {
      const body = pushOf(deleted)
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const status = await hostile.attack(
        async ({ fetchText }, input) =>
          (await fetchText(input.url, { method: 'POST', headers: input.headers, body: input.body }))
            .status,
        {
          url: `${host.daemon.url}/webhooks/github`,
          body,
          headers: {
            'content-type': 'application/json',
            'x-github-event': 'push',
            'x-hub-signature-256': `sha256=${signature}`,
          },
        },
      )
      expect([401, 403, 404]).toContain(status)
    }
    expect((await host.call('GET', '/queue')).body).toEqual([])
    expect((await visit(host.daemon, victim.host())).body.pid).toBe(victim.pid)
  })

  test('keeps no signed push waiting by slow bodies', async () => {
    const announce = (at: number) =>
      `POST /api/v1/webhooks/github HTTP/1.1\r\nHost: localhost\r\nX-GitHub-Event: push\r\nX-Hub-Signature-256: sha256=${String(at).padStart(64, '0')}\r\nContent-Length: 26000000\r\n\r\n{`
    await hostile.attack(
      ({ require }, input) => {
        const net = require('node:net') as typeof import('node:net')
        for (const text of input.texts) {
          const socket = net.connect(input.port, '127.0.0.1')
          socket.on('error', () => {})
          socket.write(text)
          setInterval(() => socket.writable && socket.write('x'), 200).unref()
        }
      },
      { port: host.daemon.port, texts: Array.from({ length: 60 }, (_, at) => announce(at)) },
    )
    const body = pushOf(false)
    const { webhookSecret } = host.canaries
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex')
    const answer = await fetch(`${host.daemon.url}/webhooks/github`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      signal: AbortSignal.timeout(10_000),
    })
    expect(answer.status).toBe(202)
  })

  test('keeps nobody from the API by hundreds of idle connections', async () => {
    await hostile.attack(({ require }, port) => {
      const net = require('node:net') as typeof import('node:net')
      for (let at = 0; at < 400; at += 1) {
        const socket = net.connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.write('GET /api/v1/health HTTP/1.1\r\nX-Slow: ')
      }
    }, host.daemon.port)
    expect((await host.call('GET', '/projects')).status).toBe(200)
    const socket = connect(host.daemon.port, '127.0.0.1')
    expect(await eventually(() => socket.readyState === 'open', 5000)).toBe(true)
    socket.destroy()
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      'a filter',
      { '.gitattributes': '* filter=evil', '.gitconfig': '[filter "evil"]\nsmudge = COMMAND' },
    ],
    [
      'a hook',
      {
        'hooks/post-checkout': '#!/bin/sh\nCOMMAND',
        '.githooks/post-checkout': '#!/bin/sh\nCOMMAND',
      },
    ],
    ['a submodule', { '.gitmodules': '[submodule "x"]\npath = x\nurl = ext::COMMAND' }],
    [
      'an .npmrc with a shell',
      { '.npmrc': 'script-shell=./evil.sh\ngit=./evil.sh\nnode-options=--require ./evil.cjs' },
    ],
    [
      'an .npmrc with a prefix',
      {
        '.npmrc':
          'prefix=OUTSIDE\nglobalconfig=OUTSIDE/npmrc\ncache=OUTSIDE/cache\nlogs-dir=OUTSIDE/logs',
      },
    ],
  ])('runs no command as root by %s in its repository', async (name, files) => {
    const command = `id -u > ${outside}/root; touch ${outside}/touched`
    const texts = Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll('COMMAND', command).replaceAll('OUTSIDE', outside),
    ])
    const project = await host.createProject(`git-${name.replaceAll(/\W+/g, '-')}`, {
      ...hostileApp,
      ...Object.fromEntries(texts),
      'package.json': JSON.stringify({
        name: 'hostile',
        scripts: { start: 'node server.js', preinstall: 'node -v', build: 'node -v' },
      }),
      'evil.sh': `#!/bin/sh\n${command}\n`,
      'evil.cjs': `require('node:child_process').execSync(${JSON.stringify(command)})`,
    })
    const { status } = await project.deploy()
    expect([201, 422]).toContain(status)
    expect(existsSync(join(outside, 'root'))).toBe(false)
    expect(existsSync(join(outside, 'touched'))).toBe(false)
    expect(existsSync(join(outside, 'cache'))).toBe(false)
  })

  test.each([
    ['writes outside of its release', "require('fs').writeFileSync('../planted', 'x')"],
    ['writes to the folder of all releases', "require('fs').writeFileSync('../../planted', 'x')"],
    ['writes to the data folder', "require('fs').writeFileSync('../../../planted', 'x')"],
    [
      'replaces its release',
      "const fs = require('fs'); const own = process.cwd(); fs.renameSync(own, own + '-old'); fs.symlinkSync('/etc', own)",
    ],
    [
      'creates a device',
      "process.exit(require('child_process').spawnSync('mknod', ['device', 'c', '1', '1']).status)",
    ],
    ['gives its files to root', "require('fs').chownSync('package.json', 0, 0)"],
  ])('fails if an install script %s', async (name, code) => {
    const project = await host.createProject(`script-${name.replaceAll(/\W+/g, '-')}`, {
      ...hostileApp,
      'package.json': JSON.stringify({
        name: 'hostile',
        scripts: { start: 'node server.js', postinstall: 'node install.cjs' },
      }),
      'install.cjs': code,
    })
    const answer = await project.deploy()
    expect(answer.status).toBe(422)
    const { dataDir } = host.daemon
    const places = ['', 'releases', `releases/${project.id}`]
    expect(places.filter((place) => existsSync(join(dataDir, place, 'planted')))).toEqual([])
  })

  test('reads no file of the host through links in its repository', async () => {
    for (const [name, target] of [
      ['strata.json', '/etc/shadow'],
      ['package.json', victim.data],
      ['package-lock.json', `${host.daemon.dataDir}/strata.db`],
      ['node_modules', victim.data],
      ['data', victim.data],
      ['.npmrc', '/root/.npmrc'],
    ] as const) {
      const project = await host.createProject(`link-${name.replaceAll('.', '-')}`, {
        'server.js': hostileApp['server.js'] ?? '',
        'tools.js': hostileApp['tools.js'] ?? '',
      })
      symlinkSync(target, join(project.repository.folder, name))
      project.repository.commit({})
      const answer = await project.deploy()
      expect([name, answer.status]).toEqual([name, 422])
      expect(answer.body.error).toContain(name)
    }
  })
})
