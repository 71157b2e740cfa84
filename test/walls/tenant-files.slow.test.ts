import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { scriptOf } from '../support/walls/hostile-app.ts'
import { deployHostile, deployVictim, type Hostile, type Victim } from '../support/walls/tenants.ts'

describe.skipIf(noWalls)(`a hostile app${noWalls ? ` (skipped: ${noWalls})` : ''}`, () => {
  const startedAt = Date.now()
  let host: Host
  let victim: Victim
  let hostile: Hostile

  beforeAll(async () => {
    host = await startHost({ SERVICE_BACKUP_INTERVAL: '1s' })
    victim = await deployVictim(host)
    hostile = await deployHostile(host, 'hostile', {
      'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
      'build.js': scriptOf(searchFiles, { since: startedAt, canaries: allOf(host) }, 'found.json'),
    })
  })
  afterAll(() => host.remove())

  test('finds no secret of the daemon or of a neighbor in any file', async () => {
    const input = { since: startedAt, canaries: allOf(host) }
    expect(await hostile.attack(searchFiles, input)).toEqual([])
  })

  test('finds no secret in any file during its build', async () => {
    const text = await hostile.attack(
      ({ require }) => require('node:fs').readFileSync('found.json', 'utf8') as string,
      null,
    )
    expect(JSON.parse(text)).toEqual({ value: [] })
  })

  test("can't read, list or change anything in the data folder except its own", async () => {
    const uid = await hostile.uid()
    const { files, folders } = foreignEntries(host.daemon.dataDir, uid, hostile.id)
    expect(files.length).toBeGreaterThan(20)
    const open = await hostile.attack(
      async ({ require, attempt }, names) => {
        const fs = require('node:fs') as typeof import('node:fs')
        const found: string[] = []
        for (const file of names.files) {
          for (const flag of ['r', 'r+', 'a'] as const) {
            const result = await attempt(() => fs.closeSync(fs.openSync(file, flag)))
            if (result === 'done') found.push(`${flag} ${file}`)
          }
        }
        for (const folder of names.folders) {
          const list = await attempt(() => fs.readdirSync(folder))
          if (list === 'done') found.push(`list ${folder}`)
          const path = `${folder}/planted`
          const create = await attempt(() => fs.writeFileSync(path, ''))
          if (create === 'done') found.push(`create ${path}`)
        }
        return found
      },
      { files, folders },
    )
    expect(open).toEqual([])
  })

  test('sees no file of the daemon in the data folder', async () => {
    const names = await hostile.attack(({ require }, folder) => {
      const fs = require('node:fs') as typeof import('node:fs')
      try {
        return fs.readdirSync(folder)
      } catch {
        return []
      }
    }, host.daemon.dataDir)
    const passages = ['cache', 'cells', 'releases', 'volumes']
    expect(names.filter((name) => !passages.includes(name))).toEqual([])
  })

  test.each([
    ['the shadow file', '/etc/shadow'],
    ['the home folder of root', '/root'],
    ['the memory of the machine', '/dev/mem'],
    ['a disk', '/dev/vda'],
    ['the keys of the kernel', '/proc/kcore'],
  ])("can't read %s", async (_, path) => {
    const result = await hostile.attack(({ require, attempt }, name) => {
      const fs = require('node:fs') as typeof import('node:fs')
      return attempt(() => {
        if (fs.statSync(name).isDirectory()) return fs.readdirSync(name)
        return fs.closeSync(fs.openSync(name, 'r'))
      })
    }, path)
    expect(result).not.toBe('done')
  })

  test.each([
    '/etc',
    '/usr/local/bin',
    '/usr/lib',
    '/var/lib',
    '/var/spool/cron',
    '/var/spool/cron/crontabs',
    '/etc/cron.d',
    '/run',
    '/run/strata',
    '/sys/kernel',
    '/sys/fs/cgroup',
    '/proc/sys/kernel',
    '/opt',
    '/',
  ])("can't create a file in %s", async (folder) => {
    const result = await hostile.attack(
      ({ require, attempt }, path) => {
        const fs = require('node:fs') as typeof import('node:fs')
        return attempt(() => fs.writeFileSync(path, 'planted'))
      },
      join(folder, 'strata-planted'),
    )
    expect(result).not.toBe('done')
    expect(existsSync(join(folder, 'strata-planted'))).toBe(false)
  })

  test.each(['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/self/oom_score_adj'])(
    "can't gain anything by writing to %s",
    async (path) => {
      const result = await hostile.attack(({ require, attempt }, name) => {
        const fs = require('node:fs') as typeof import('node:fs')
        return attempt(() => fs.writeFileSync(name, '-1000'))
      }, path)
      expect(result).not.toBe('done')
    },
  )

  test('has temporary folders of its own', async () => {
    for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) {
      const marker = join(mkdtempSync(join(folder, 'strata-outside-')), 'marker')
      writeFileSync(marker, 'outside', { mode: 0o644 })
      chmodSync(join(marker, '..'), 0o755)
      try {
        const seen = await hostile.attack(
          async ({ require, attempt }, names) => {
            const fs = require('node:fs') as typeof import('node:fs')
            return {
              canRead: await attempt(() => fs.readFileSync(names.marker)),
              hasVictim: fs.existsSync(`${names.folder}/victim-file`),
              canWrite: await attempt(() => fs.writeFileSync(`${names.folder}/own`, 'own')),
            }
          },
          { folder, marker },
        )
        expect([folder, seen]).toEqual([
          folder,
          { canRead: 'ENOENT', hasVictim: false, canWrite: 'done' },
        ])
        expect(existsSync(join(folder, 'own'))).toBe(false)
      } finally {
        rmSync(join(marker, '..'), { recursive: true })
      }
    }
  })

  test("can't use hard links or symlinks to reach files of others", async () => {
    const targets = [
      join(victim.data, 'canary.txt'),
      join(host.daemon.dataDir, 'strata.db'),
      join(host.daemon.dataDir, 'gateway/gateway.sock'),
      '/etc/shadow',
    ]
    const results = await hostile.attack(async ({ require, process, attempt }, paths) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const own = process.env.STRATA_DATA ?? '.'
      const found: string[] = []
      for (const [index, path] of paths.entries()) {
        const hard = await attempt(() => fs.linkSync(path, `${own}/hard-${index}`))
        const soft = await attempt(() => {
          fs.symlinkSync(path, `${own}/soft-${index}`)
          fs.readFileSync(`${own}/soft-${index}`)
        })
        found.push(hard, soft)
      }
      return found
    }, targets)
    expect(results).not.toContain('done')
  })

  test('runs as a user of its own in its release, its data and its home', async () => {
    const own = await hostile.attack(async ({ require, process, attempt }) => {
      const fs = require('node:fs') as typeof import('node:fs')
      const folders = { home: process.env.HOME, data: process.env.STRATA_DATA, release: '.' }
      const found: Record<string, string> = {}
      for (const [name, folder] of Object.entries(folders)) {
        found[name] = await attempt(() => fs.writeFileSync(`${folder}/own-file`, 'own'))
      }
      return { found, uid: process.getuid?.(), home: process.env.HOME }
    }, null)
    expect(own.found).toEqual({ home: 'done', data: 'done', release: 'done' })
    expect(statSync(own.home ?? '').mode & 0o077).toBe(0)
    expect(own.uid).not.toBe(0)
    expect(own.uid).not.toBe(victim.uid)
  })
})

const allOf = (host: Host) => Object.values(host.canaries)

/** Searches every readable file that changed since `since`. Runs inside the hostile app. */
function searchFiles(
  { require }: import('../support/walls/hostile-app.ts').Inside,
  { since, canaries }: { since: number; canaries: readonly string[] },
): string[] {
  const { spawnSync } = require('node:child_process') as typeof import('node:child_process')
  const seconds = Math.floor(since / 1000) - 1
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const
  const roots = ['/', '/tmp', '/var/tmp', '/dev/shm', '/run']
  const list = spawnSync(
    'find',
    [...roots, '-xdev', '-type', 'f', '-newermt', `@${seconds}`, '-readable', '-size', '-65536k'],
    options,
  )
  const own = process.cwd()
  const files = [...new Set(list.stdout.split('\n'))].filter(
    (name) => name !== '' && !name.startsWith(own),
  )
  const found: string[] = []
  for (let at = 0; at < files.length; at += 500) {
    const names = files.slice(at, at + 500)
    const grep = spawnSync('grep', ['-lsFa', '-f', '-', '--', ...names], {
      ...options,
      input: canaries.join('\n'),
    })
    found.push(...grep.stdout.split('\n').filter((name) => name !== ''))
  }
  return found
}

/**
 * Returns the files and folders in the data folder that do not belong to a project. Leaves out the data folder, which a
 * project may see without its files, and the project's cell, which holds its temporary folders.
 */
function foreignEntries(dataDir: string, uid: number, projectId: number) {
  const files: string[] = []
  const folders: string[] = []
  const visit = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats || stats.uid === uid || path === join(dataDir, 'cells', String(projectId)))
        continue
      if (entry.isFile()) files.push(path)
      if (!entry.isDirectory()) continue
      folders.push(path)
      visit(path)
    }
  }
  visit(dataDir)
  return { files, folders }
}
