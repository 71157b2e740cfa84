import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { createMachine, type Machine, noServer, type Result } from './support/server/machine.ts'
import { laterPackage } from './support/server/packages.ts'
import { call, visit } from './support/stratad/call.ts'
import type { Daemon } from './support/stratad/daemon.ts'
import { startLoad } from './support/stratad/load.ts'
import { createRepository } from './support/stratad/plain-app.ts'

const domain = `m${process.pid}.example.com`
const host = `main--shop.${domain}`

describe.skipIf(noServer !== undefined)(`a server (${noServer ?? 'runs here'})`, () => {
  let machine: Machine
  let ports: { readonly api: number; readonly gateway: number }
  let install: readonly string[]

  beforeAll(async () => {
    machine = await createMachine(domain)
    ports = { api: await freePort(), gateway: await freePort() }
    install = [
      ...documented('install').with(-1, domain),
      '--json',
      ...['--addr', `127.0.0.1:${ports.api}`, '--gateway-addr', `127.0.0.1:${ports.gateway}`],
      ...['--set', 'SERVICE_APP_PORTS=26000-26099'],
    ]
  })
  afterAll(() => machine?.remove())

  test('prints its steps and changes nothing with --dry-run', async () => {
    const { dry_run, steps, unit } = json(await machine.strata([...install, '--dry-run']))
    expect(dry_run).toBe(true)
    expect(steps.join('\n')).toMatch(/copy strata .*\/opt\/strata\/versions/)
    expect(unit).toContain('KillMode=process')
    expect(readdirSync(machine.place('/opt'))).toEqual([])
  })

  test('is installed and runs, with all walls that this machine has', async () => {
    const value = json(await machine.strata(install))
    expect(value.token).toMatch(/^[0-9a-f]{64}$/)
    expect(value.unit_faults).toEqual([])
    expect(value.service).toEqual({ state: 'running' })
    expect(modeOf('/var/lib/strata/config.env')).toBe('600')
    expect(modeOf('/var/lib/strata')).toBe('700')
    expect(modeOf('/opt/strata/snapshots')).toBe('700')
    expect(machine.journal()).not.toContain(value.token)
    const status = json(await machine.strata([...documented('status'), '--json']))
    expect(status).toMatchObject({ status: 'running', base_domain: domain, previous: null })
    // The unit takes capabilities away. The walls must not notice.
    expect(wallsThatStand(status)).toEqual(expect.arrayContaining(['users', 'files', 'processes']))
  })

  test('changes nothing and shows no token if it is installed again', async () => {
    const value = json(await machine.strata(install))
    expect(value.changed).toEqual([])
    expect(value.token).toBeUndefined()
  })

  test('completes an installation that was killed', async () => {
    await machine.run('rm', ['/etc/systemd/system/stratad.service', '/opt/strata/server.json'])
    const { changed } = json(await machine.strata(install))
    expect(changed).toEqual([
      'write /etc/systemd/system/stratad.service',
      'write /opt/strata/server.json',
    ])
  })

  test('serves an app', async () => {
    const repository = createRepository(join(machine.folder, 'shop'))
    const { status, body } = await api('POST', '/projects', {
      repo_dir: repository.folder,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const deployed = await api('POST', '/projects/1/deploy', { branch: 'main' })
    expect(deployed.status, deployed.text).toBe(201)
    expect((await visit(daemon(), host, '/')).status).toBe(200)
  })

  test('comes back by itself if an upgrade does not start, and fails no accepted request', async () => {
    const broken = laterPackage(join(machine.folder, 'broken'), '0.2.0', { dies: true })
    const load = startLoad(daemon(), host, { perSecond: 40 })
    const result = await machine.strata(['server', 'upgrade', '--timeout', '4'], broken)
    const { failures, served } = await load.stop()
    expect(result.code).toBe(1)
    expect(result.stderr).toMatch(/upgrade to strata 0\.2\.0-\w+ failed.* runs again/)
    expect(accepted(failures)).toEqual([])
    expect(served).toBeGreaterThan(50)
    expect(await projectNames()).toEqual(['shop'])
    expect(tables()).not.toContain('of_the_next_version')
    // The broken version had migrated the database.
    expect(replacedDatabases()).toHaveLength(1)
  })

  test('is upgraded over a migration under load, and fails no accepted request', async () => {
    const folder = laterPackage(join(machine.folder, 'later'), '0.3.0')
    const packed = await machine.run('npm', [
      'pack',
      '--silent',
      `--pack-destination=${machine.folder}`,
      folder,
    ])
    const archive = join(machine.folder, packed.stdout.trim())
    const load = startLoad(daemon(), host, { perSecond: 40 })
    const value = json(await machine.strata([...documented('upgrade').with(-1, archive), '--json']))
    const { failures, served } = await load.stop()
    expect(value).toMatchObject({ changed: true, label: expect.stringMatching(/^0\.3\.0-/) })
    expect(accepted(failures)).toEqual([])
    expect(served).toBeGreaterThan(50)
    expect((await api('GET', '/health')).body.version).toBe('0.3.0')
    expect(tables()).toContain('of_the_next_version')
  })

  test('goes back over the migration with one command, and asks before records are lost', async () => {
    const asked = await machine.strata(documented('rollback'))
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('strata server rollback --yes')
    const load = startLoad(daemon(), host, { perSecond: 40 })
    const value = json(await machine.strata([...documented('rollback'), '--yes', '--json']))
    const { failures } = await load.stop()
    expect(value).toMatchObject({ restored_database: true })
    expect(accepted(failures)).toEqual([])
    expect((await api('GET', '/health')).body.version).not.toBe('0.3.0')
    expect(await projectNames()).toEqual(['shop'])
  })

  test('is uninstalled, keeps its data, and is purged', async () => {
    const kept = json(await machine.strata([...documented('uninstall'), '--yes', '--json']))
    expect(kept.kept).toBe('/var/lib/strata')
    expect(existsSync(machine.place('/opt/strata'))).toBe(false)
    expect(existsSync(machine.place('/var/lib/strata/strata.db'))).toBe(true)
    await expect(visit(daemon(), host, '/')).rejects.toThrow()
    expect(json(await machine.strata(install)).token).toBeUndefined()
    expect(await projectNames()).toEqual(['shop'])
    expect((await machine.strata(['server', 'uninstall', '--purge', '--yes'])).code).toBe(0)
    expect(existsSync(machine.place('/var/lib/strata'))).toBe(false)
  })

  /** The installed daemon, for the helpers of other tests. */
  function daemon(): Daemon {
    return {
      url: `http://127.0.0.1:${ports.api}/api/v1`,
      port: ports.api,
      gatewayPort: ports.gateway,
    } as Daemon // The helpers use no other members.
  }

  function api(method: string, path: string, body?: unknown) {
    const token = readFileSync(machine.place('/var/lib/strata/api-token'), 'utf8').trim()
    return call(daemon(), method, path, body, { token })
  }

  async function projectNames(): Promise<string[]> {
    const { body } = await api('GET', '/projects')
    return body.map(({ name }: { name: string }) => name)
  }

  function tables(): string {
    const folder = machine.place('/var/lib/strata')
    return ['strata.db', 'strata.db-wal']
      .filter((name) => existsSync(join(folder, name)))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('')
  }

  function replacedDatabases(): string[] {
    return readdirSync(machine.place('/opt/strata/snapshots')).filter((name) =>
      name.endsWith('-replaced.db'),
    )
  }

  function modeOf(path: string): string {
    return (statSync(machine.place(path)).mode & 0o777).toString(8)
  }
})

/** A gateway of another version takes over the port: a connection in this moment is refused, and never accepted. */
function accepted(failures: readonly string[]): string[] {
  return failures.filter((failure) => !failure.includes('connect ECONNREFUSED'))
}

/** Returns the words of a command of docs/production.md after `strata`. */
function documented(verb: string): string[] {
  const text = readFileSync(new URL('../docs/production.md', import.meta.url), 'utf8')
  const [, words = ''] =
    new RegExp(`^\`\`\`sh\nstrata (server ${verb}.*)\n\`\`\`$`, 'm').exec(text) ?? []
  if (words === '') throw new Error(`docs/production.md has no block for strata server ${verb}`)
  return words.split(' ')
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of a result.
function json(result: Result): any {
  if (result.code !== 0) throw new Error(`exit code ${result.code}: ${result.stderr}`)
  return JSON.parse(result.stdout)
}

function wallsThatStand(status: { walls: { name: string; stands: boolean }[] }): string[] {
  return status.walls.filter(({ stands }) => stands).map(({ name }) => name)
}
