import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visit } from '../support/stratad/call.ts'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { hostileApp } from '../support/walls/hostile-app.ts'
import { deployHostile, deployVictim, type Victim } from '../support/walls/tenants.ts'

const id = randomBytes(8).toString('hex')
/** Folder that every user can write to, outside of the private temporary folders. */
const shared = join('/var/lib', `strata-walls-${id}`)
/** Records its user, then continues with the program that the daemon wanted to start. */
const recorder = `#!/bin/sh
id -u >> ${shared}/users
exec "/usr/bin/\${0##*/}" "$@"
`
const programs = [
  'setpriv',
  'nsenter',
  'unshare',
  'env',
  'mount',
  'id',
  'git',
  'npm',
  'chown',
  'cp',
  'rm',
]

describe.skipIf(noWalls)(`a hostile app${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  let host: Host
  let victim: Victim

  beforeAll(async () => {
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    host = await startHost()
    victim = await deployVictim(host)
  })
  afterAll(async () => {
    await host.remove()
    rmSync(shared, { recursive: true })
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['LD_DEBUG', { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: `${shared}/linker` }],
    ['LD_PROFILE', { LD_PROFILE: 'libc.so.6', LD_PROFILE_OUTPUT: shared }],
    ['NODE_V8_COVERAGE', { NODE_V8_COVERAGE: `${shared}/coverage` }],
    ['NODE_REDIRECT_WARNINGS', { NODE_REDIRECT_WARNINGS: `${shared}/warnings` }],
    ['NODE_OPTIONS', { NODE_OPTIONS: `--require=${shared}/hook.cjs` }],
    ['GIT_TRACE', { GIT_TRACE: `${shared}/git`, GIT_TRACE2: `${shared}/git2` }],
    [
      'npm_config_cache',
      { npm_config_cache: `${shared}/npm`, npm_config_logs_dir: `${shared}/logs` },
    ],
    ['BASH_ENV', { BASH_ENV: `${shared}/hook.sh`, ENV: `${shared}/hook.sh` }],
    ['PERL5OPT', { PERL5OPT: '-Mhook', PERL5LIB: shared }],
    ['PATH', { PATH: 'bin:/usr/local/bin:/usr/bin:/bin' }],
  ])('gets nothing run by root through %s in deploy.env', async (name, env) => {
    const hook = `require('node:fs').appendFileSync('${shared}/users', process.getuid() + '\\n')`
    writeFileSync(join(shared, 'hook.cjs'), hook)
    writeFileSync(join(shared, 'hook.sh'), `id -u >> ${shared}/users\n`)
    const before = new Set(readdirSync(shared))
    const project = await host.createProject(`env-${name.toLowerCase().replaceAll('_', '-')}`, {
      ...hostileApp,
      'package.json': JSON.stringify({
        name: 'hostile',
        scripts: { start: 'node server.js', preinstall: 'node -v', build: 'node -v' },
      }),
      'strata.json': JSON.stringify({ deploy: { env, health_timeout: '20s' } }),
      ...Object.fromEntries(programs.map((program) => [`bin/${program}`, recorder])),
    })
    for (const program of programs) {
      chmodSync(join(project.repository.folder, 'bin', program), 0o755)
    }
    project.repository.commit({ 'run.txt': name })
    const { status, text } = await project.deploy()
    expect([201, 422], text).toContain(status)
    const created = readdirSync(shared, { recursive: true, withFileTypes: true }).filter(
      (entry) => !before.has(entry.name),
    )
    const users = usersSeen()
    expect(users).not.toContain('0')
    for (const entry of created) {
      const path = join(entry.parentPath, entry.name)
      const { uid } = lstatSync(path)
      expect([path, uid]).not.toEqual([path, 0])
    }
    await host.call('DELETE', `/projects/${project.id}`)
    rmSync(join(shared, 'users'), { force: true })
  })

  test('gets no more rights by a secret named like a linker variable', async () => {
    const project = await host.createProject('linker', hostileApp)
    await host.call('POST', `/projects/${project.id}/secrets`, {
      name: 'LD_DEBUG_OUTPUT',
      value: `${shared}/secret`,
      scope: 'project',
    })
    await host.call('POST', `/projects/${project.id}/secrets`, {
      name: 'LD_DEBUG',
      value: 'files',
      scope: 'project',
    })
    const { status } = await project.deploy()
    expect([201, 422]).toContain(status)
    const owners = readdirSync(shared)
      .filter((name) => name.startsWith('secret'))
      .map((name) => lstatSync(join(shared, name)).uid)
    expect(owners).not.toContain(0)
  })

  test.each(['STRATA_DATA', 'STRATA_URL', 'STRATA_BRANCH', 'STRATA_INSTANCE', 'PORT', 'HOME'])(
    "can't take over a neighbor with its own %s",
    async (name) => {
      const values: Readonly<Record<string, string>> = {
        STRATA_DATA: victim.data,
        HOME: victim.data,
        PORT: String(victim.port),
      }
      const project = await host.createProject(`own-${name.toLowerCase().replaceAll('_', '-')}`, {
        ...hostileApp,
        'strata.json': JSON.stringify({
          deploy: { env: { [name]: values[name] ?? 'x' }, health_timeout: '10s' },
        }),
      })
      const { status } = await project.deploy()
      expect([201, 422]).toContain(status)
      const answer = await visit(host.daemon, victim.host())
      expect(answer.body).toMatchObject({ name: 'victim', pid: victim.pid })
      expect(readFileSync(join(victim.data, 'canary.txt'), 'utf8')).toBe(host.canaries.data)
      await host.call('DELETE', `/projects/${project.id}`)
      expect(lstatSync(victim.data).uid).toBe(victim.uid)
    },
  )

  test('has no setting of the daemon in its environment', async () => {
    const hostile = await deployHostile(host)
    const env = await hostile.attack(({ process }) => ({ ...process.env }), null)
    expect(Object.keys(env).filter((name) => /^SERVICE_/.test(name))).toEqual([])
    const text = JSON.stringify(env)
    for (const canary of Object.values(host.canaries)) expect(text).not.toContain(canary)
  })

  test("finds no secret in the daemon's own environment or command line", () => {
    const files = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .flatMap((pid) => [`/proc/${pid}/environ`, `/proc/${pid}/cmdline`])
    const { apiToken, webhookSecret, masterKey } = host.canaries
    const holding = files.filter((file) => {
      const text = textOf(file)
      return [apiToken, webhookSecret, masterKey].some((canary) => text.includes(canary))
    })
    expect(holding).toEqual([])
  })
})

function usersSeen(): string[] {
  return textOf(join(shared, 'users')).split('\n')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
