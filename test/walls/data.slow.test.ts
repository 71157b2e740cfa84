import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { visit } from '../support/stratad/call.ts'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { hostileApp, type Inside, scriptOf } from '../support/walls/hostile-app.ts'
import {
  deployHostile,
  deployVictim,
  type Hostile,
  hostileOf,
  type Victim,
} from '../support/walls/tenants.ts'

describe.skipIf(noWalls)(`a hostile app${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  let host: Host
  let victim: Victim
  /** Folder of root outside of the data folder. No attack may change it. */
  let outside: string

  beforeAll(async () => {
    outside = mkdtempSync('/var/lib/strata-walls-')
    writeFileSync(join(outside, 'sentinel'), 'sentinel')
    host = await startHost()
    victim = await deployVictim(host)
  })
  afterAll(async () => {
    await host.remove()
    rmSync(outside, { recursive: true })
  })

  const isIntact = () => {
    expect(readFileSync(join(outside, 'sentinel'), 'utf8')).toBe('sentinel')
    expect(lstatSync(join(outside, 'sentinel')).uid).toBe(0)
    expect(lstatSync(outside).uid).toBe(0)
    expect(readFileSync(join(victim.data, 'canary.txt'), 'utf8')).toBe(host.canaries.data)
    expect(lstatSync(join(victim.data, 'canary.txt')).uid).toBe(victim.uid)
    expect(lstatSync('/etc/passwd').uid).toBe(0)
  }
  /** Downloads a backup with data. Stops at 256 MB, because a sparse file must not fill the disk of its reader. */
  const backup = async () => {
    const answer = await fetch(`${host.daemon.url}/backup?data=true`, {
      headers: { authorization: `Bearer ${host.canaries.apiToken}` },
      signal: AbortSignal.timeout(60_000),
    })
    expect(answer.status).toBe(200)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      chunks.push(chunk)
      size += chunk.byteLength
      expect(size).toBeLessThan(2 ** 28)
    }
    return Buffer.concat(chunks)
  }
  const redeploy = async (hostile: Hostile) => {
    hostile.repository.commit({ 'note.txt': String(Math.random()) })
    const answer = await hostile.deploy()
    expect(answer.status, answer.text).toBe(201)
    return hostileOf(host, hostile, answer.body.id)
  }
  const trash = async (projectId: number) =>
    ((await host.call('GET', '/trash')).body as { id: number; project_id: number }[]).filter(
      (item) => item.project_id === projectId,
    )

  test('with links in its data gets no file of others into a backup, and gives none away', async () => {
    const hostile = await deployHostile(host, 'links')
    await hostile.attack(plantLinks, [
      join(outside, 'sentinel'),
      outside,
      victim.data,
      '/etc/shadow',
      '/etc/passwd',
      join(host.daemon.dataDir, 'strata.db'),
    ])
    const archive = await backup()
    const shadow = readFileSync('/etc/shadow', 'utf8').split('\n')[0] ?? 'root:'
    expect(archive.includes(shadow)).toBe(false)
    expect(countOf(archive, host.canaries.data)).toBe(1)
    await redeploy(hostile)
    expect((await host.call('DELETE', `/projects/${hostile.id}`)).status).toBe(204)
    for (const { id } of await trash(hostile.id)) {
      expect((await host.call('DELETE', `/trash/${id}`)).status).toBe(204)
    }
    isIntact()
  })

  test.each<[string, (inside: Inside) => void]>([
    ['names that are not UTF-8', plantOddNames],
    ['a path longer than the system allows', plantDeepPath],
    ['pipes and sockets', plantPipes],
    ['folders without any permission', plantClosedFolders],
    ['a sparse file of 100 GB', plantSparseFile],
  ])(
    'with %s in its data can be backed up, destroyed, restored and purged',
    async (name, plant) => {
      const hostile = await deployHostile(
        host,
        `data-${name.replaceAll(/\W+/g, '-').toLowerCase()}`,
      )
      await hostile.attack(plant, null)
      const volume = await hostile.attack(({ process }) => process.env.STRATA_DATA ?? '', null)
      await backup()
      expect((await host.call('DELETE', `/environments/${hostile.environmentId}`)).status).toBe(204)
      expect(existsSync(volume)).toBe(false)
      const [item] = await trash(hostile.id)
      expect((await host.call('POST', `/trash/${item?.id}/restore`)).status).toBeLessThan(300)
      const again = await redeploy(hostile)
      const kept = await again.attack(
        ({ require, process }) =>
          require('node:fs').readFileSync(`${process.env.STRATA_DATA}/kept`, 'utf8') as string,
        null,
      )
      expect(kept).toBe('kept')
      const path = `/environments/${again.environmentId}?purge_data=true`
      expect((await host.call('DELETE', path)).status).toBe(204)
      expect(existsSync(volume)).toBe(false)
      expect(await trash(hostile.id)).toEqual([])
      isIntact()
    },
  )

  test("can't replace its data folder by a link", async () => {
    const hostile = await deployHostile(host, 'replaces')
    const result = await hostile.attack(({ require, process, attempt }, target) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const own = process.env.STRATA_DATA ?? ''
      return attempt(() => {
        fs.renameSync(own, `${own}-old`)
        fs.symlinkSync(target, own)
      })
    }, outside)
    expect(result).not.toBe('done')
    await redeploy(hostile)
    isIntact()
  })

  test("can't use the link `data` of its release to change files of others", async () => {
    const hostile = await deployHostile(host, 'relinks', {
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': scriptOf(
        ({ require, attempt }, target) => {
          const fs = require('node:fs') as typeof import('node:fs')
          return attempt(() => {
            fs.rmSync('data', { force: true })
            fs.symlinkSync(target, 'data')
          })
        },
        victim.data,
        'result.json',
      ),
    })
    const result = await hostile.attack(({ require, attempt }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      return attempt(() => fs.readFileSync('data/canary.txt'))
    }, null)
    expect(result).not.toBe('done')
    await host.call('DELETE', `/projects/${hostile.id}`)
    isIntact()
  })

  test.each([
    'package.json',
    'strata.json',
    'package-lock.json',
    '.npmrc',
    'node_modules',
    'server.js',
  ])(
    'that replaces %s by a pipe during its build does not stop the daemon',
    async (file) => {
      const project = await host.createProject(`pipe-${file.replaceAll(/\W/g, '-')}`, {
        ...hostileApp,
        'package.json': JSON.stringify({
          name: 'hostile',
          scripts: { start: 'node server.js', build: 'node build.js' },
          devDependencies: { tools: 'file:./tools' },
        }),
        'tools/package.json': JSON.stringify({ name: 'tools', version: '1.0.0' }),
        'strata.json': JSON.stringify({ deploy: { health_timeout: '3s' } }),
        'build.js': `require('fs').rmSync('${file}', { recursive: true, force: true }); require('child_process').spawnSync('mkfifo', ['${file}']); console.log('planted')`,
      })
      // npm itself waits for the pipe: its build ends with its project, or after its time limit.
      const deploy = project.deploy()
      const hasBuilt = async () => {
        const rows = (await host.call('GET', `/projects/${project.id}/environments`)).body
        const path = `/environments/${rows.at(-1)?.id}/logs`
        const isPlanted = (await host.call('GET', path)).body?.logs?.includes('planted') ?? false
        return isPlanted || (await Promise.race([deploy.then(() => true), false]))
      }
      expect(await eventually(hasBuilt, 30_000, 200)).toBe(true)
      for (let times = 0; times < 8; times += 1) {
        expect((await host.call('GET', '/stats')).status).toBe(200)
        expect((await visit(host.daemon, victim.host())).body.name).toBe('victim')
      }
      expect((await host.call('DELETE', `/projects/${project.id}`)).status).toBe(204)
      expect([201, 404, 409, 422]).toContain((await deploy).status)
      const next = await deployHostile(host, `after-pipe-${file.replaceAll(/[\W_]/g, '')}`)
      expect((await host.call('DELETE', `/projects/${next.id}`)).status).toBe(204)
    },
    120_000,
  )

  test('leaves no setuid program and no root-owned file in a release', async () => {
    const hostile = await deployHostile(host, 'setuid', {
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': `const fs = require('fs'); fs.copyFileSync('/usr/bin/id', 'own-id'); fs.chmodSync('own-id', 0o6755)`,
    })
    const output = await hostile.attack(({ run }) => run('./own-id', ['-u']).output.trim(), null)
    expect(output).toBe(String(await hostile.uid()))
  })

  test("can't see, restore or remove the trash of a neighbor with a token of its own project", async () => {
    const hostile = await deployHostile(host, 'trashes')
    const other = await deployHostile(host, 'trashed')
    await other.attack(
      ({ require, process }) =>
        require('node:fs').writeFileSync(`${process.env.STRATA_DATA}/kept`, 'kept'),
      null,
    )
    expect((await host.call('DELETE', `/environments/${other.environmentId}`)).status).toBe(204)
    const [item] = await trash(other.id)
    expect(item).toBeDefined()
    const made = await host.call('POST', '/tokens', { name: 'scoped', projects: [hostile.id] })
    const { token } = made.body
    const listed = await host.call('GET', '/trash', undefined, token)
    expect(listed.status === 403 || JSON.stringify(listed.body) === '[]').toBe(true)
    for (const [method, path] of [
      ['POST', `/trash/${item?.id}/restore`],
      ['DELETE', `/trash/${item?.id}`],
    ] as const) {
      expect([403, 404]).toContain((await host.call(method, path, undefined, token)).status)
    }
    expect((await trash(other.id)).length).toBe(1)
  })

  test('that follows a deleted project gets neither its user nor its data', async () => {
    const first = await deployHostile(host, 'reused')
    const uid = await first.uid()
    await first.attack(
      ({ require, process }) =>
        require('node:fs').writeFileSync(`${process.env.STRATA_DATA}/kept`, 'kept'),
      null,
    )
    expect((await host.call('DELETE', `/projects/${first.id}`)).status).toBe(204)
    const second = await deployHostile(host, 'team/reused')
    const about = await second
      .attack(
        ({ require, process }) => ({
          uid: process.getuid?.(),
          files: require('node:fs').readdirSync(process.env.STRATA_DATA ?? '') as string[],
        }),
        null,
      )
      .catch(() => undefined)
    expect(about?.uid).not.toBe(uid)
    expect(about?.files ?? []).not.toContain('kept')
  })
})

function countOf(archive: Buffer, text: string): number {
  let count = 0
  for (let at = archive.indexOf(text); at >= 0; at = archive.indexOf(text, at + 1)) count += 1
  return count
}

/** Links files of others into the data folder, also under names that SQLite uses. Runs inside the hostile app. */
function plantLinks({ require, process }: Inside, targets: readonly string[]): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const own = process.env.STRATA_DATA ?? '.'
  for (const [index, target] of targets.entries()) fs.symlinkSync(target, `${own}/link-${index}`)
  // A SQLite file, and side files that lead to files of others.
  const header = Buffer.alloc(4096)
  header.write('SQLite format 3\0')
  fs.writeFileSync(`${own}/app.db`, header)
  for (const suffix of ['-wal', '-shm', '-journal']) {
    fs.symlinkSync(targets[0] ?? '/etc/passwd', `${own}/app.db${suffix}`)
  }
  fs.symlinkSync(targets.at(-1) ?? '/etc/passwd', `${own}/other.db`)
}

function plantOddNames({ require, process }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const own = process.env.STRATA_DATA ?? '.'
  fs.writeFileSync(`${own}/kept`, 'kept')
  const folder = Buffer.concat([Buffer.from(`${own}/`), Buffer.from([0x66, 0xff, 0xfe])])
  fs.mkdirSync(folder)
  fs.writeFileSync(Buffer.concat([folder, Buffer.from('/'), Buffer.from([0xc3, 0x28])]), 'odd')
  fs.writeFileSync(`${own}/a\nb`, 'odd')
  fs.writeFileSync(`${own}/--help`, 'odd')
  fs.writeFileSync(`${own}/ leading and trailing `, 'odd')
}

function plantDeepPath({ require, process }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const release = process.cwd()
  process.chdir(process.env.STRATA_DATA ?? '.')
  fs.writeFileSync('kept', 'kept')
  const name = 'd'.repeat(200)
  for (let depth = 0; depth < 60; depth += 1) {
    fs.mkdirSync(name)
    process.chdir(name)
  }
  fs.writeFileSync('deep', 'deep')
  process.chdir(release)
}

function plantPipes({ require, process, run }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const net = require('node:net') as typeof import('node:net')
  const own = process.env.STRATA_DATA ?? '.'
  fs.writeFileSync(`${own}/kept`, 'kept')
  run('mkfifo', [`${own}/pipe`, `${own}/pipe.db`, `${own}/pipe.sqlite`])
  process.chdir(own)
  net.createServer().listen('socket').unref()
}

function plantClosedFolders({ require, process }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const own = process.env.STRATA_DATA ?? '.'
  fs.writeFileSync(`${own}/kept`, 'kept')
  fs.mkdirSync(`${own}/closed/inner`, { recursive: true })
  fs.writeFileSync(`${own}/closed/inner/file`, 'x', { mode: 0 })
  fs.chmodSync(`${own}/closed/inner`, 0)
  fs.chmodSync(`${own}/closed`, 0)
}

function plantSparseFile({ require, process }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const own = process.env.STRATA_DATA ?? '.'
  fs.writeFileSync(`${own}/kept`, 'kept')
  fs.writeFileSync(`${own}/sparse`, '')
  fs.truncateSync(`${own}/sparse`, 100 * 2 ** 30)
}
