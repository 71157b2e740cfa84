import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Host, noWalls, startHost } from '../support/walls/host.ts'
import { type Inside, scriptOf } from '../support/walls/hostile-app.ts'
import { deployHostile, type Hostile } from '../support/walls/tenants.ts'

const manifest = {
  name: 'hostile',
  version: '1.0.0',
  scripts: { start: 'node server.js', build: 'node build.js' },
  dependencies: { ms: '2.1.3' },
  devDependencies: { 'is-number': '7.0.0' },
}

describe.skipIf(noWalls)(
  `a hostile project with the packages of others${noWalls ? ` (skipped: ${noWalls})` : ''}`,
  () => {
    let host: Host
    let lock: string
    let neighbor: Hostile

    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'strata-lock-'))
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
      const args = ['install', '--package-lock-only', '--no-audit']
      execFileSync('npm', args, { cwd: folder, stdio: 'pipe' })
      lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
      rmSync(folder, { recursive: true })
      host = await startHost()
      neighbor = await deploy('neighbor', report)
    })
    afterAll(() => host.remove())

    const deploy = (name: string, build: (inside: Inside) => unknown) =>
      deployHostile(host, name, {
        'package.json': JSON.stringify(manifest),
        'package-lock.json': lock,
        'build.js': scriptOf(build, null, 'report.json'),
      })
    const reportOf = async (project: Hostile) => {
      const text = await project.attack(
        ({ require }) => require('node:fs').readFileSync('report.json', 'utf8') as string,
        null,
      )
      return JSON.parse(text).value
    }
    const packagesOf = (project: Hostile) => project.attack(report, null)

    test('can change the packages of its running app for nobody else', async () => {
      const before = await packagesOf(neighbor)
      const hostile = await deploy('changes-running', report)
      await hostile.attack(changePackages, null)
      expect(await packagesOf(neighbor)).toEqual(before)
      const next = await deploy('after-running', report)
      expect(await packagesOf(next)).toEqual(before)
      expect((await reportOf(next)).code).toBe(before.code)
    })

    test('can change the packages of its build for nobody else', async () => {
      const before = await packagesOf(neighbor)
      await deploy('changes-build', changePackages)
      expect(await packagesOf(neighbor)).toEqual(before)
      const next = await deploy('after-build', report)
      expect(await packagesOf(next)).toEqual(before)
      expect((await reportOf(next)).code).toBe(before.code)
    })

    test("can put nothing into a neighbor's download cache", async () => {
      await deploy('plants', ({ require, process }) => {
        const fs = require('node:fs') as typeof import('node:fs')
        try {
          fs.mkdirSync(process.env.npm_config_cache ?? '', { recursive: true })
          fs.writeFileSync(`${process.env.npm_config_cache}/planted`, 'planted')
        } catch {}
      })
      const next = await deploy('after-plants', ({ require, process }) => {
        const fs = require('node:fs') as typeof import('node:fs')
        return fs.existsSync(`${process.env.npm_config_cache}/planted`)
      })
      expect(await reportOf(next)).toBe(false)
    })

    test('can read no setting of npm that belongs to the operator', async () => {
      const hostile = await deploy('npmrc', ({ run, process }) => ({
        list: run('npm', ['config', 'list', '--long']).output,
        env: JSON.stringify(process.env),
      }))
      const { list, env } = await reportOf(hostile)
      expect(env).not.toMatch(/_authToken|_password/i)
      for (const canary of Object.values(host.canaries)) expect(list + env).not.toContain(canary)
    })
  },
)

/** Returns the code of a package, its owner and the result of running it. */
function report({ require }: Inside) {
  const fs = require('node:fs') as typeof import('node:fs')
  const code = fs.readFileSync('node_modules/ms/index.js', 'utf8')
  return { code, names: fs.readdirSync('node_modules/ms').sort(), minute: require('ms')(60_000) }
}

/** Tries to change a package in all ways, with the size and the time of before. Runs inside the hostile app. */
function changePackages({ require, run }: Inside): void {
  const fs = require('node:fs') as typeof import('node:fs')
  const file = 'node_modules/ms/index.js'
  const { atime, mtime } = fs.statSync(file)
  const code = fs.readFileSync(file, 'utf8')
  const changed = `process.exit(9);${code}`.slice(0, code.length)
  const tries = [
    () => fs.appendFileSync(file, '\nprocess.exit(9)'),
    () => fs.writeFileSync(file, changed),
    () => fs.truncateSync(file, 0),
    () => fs.chmodSync(file, 0o666),
    () => fs.writeFileSync(file, changed),
    () => fs.chmodSync('node_modules/ms', 0o777),
    () => fs.writeFileSync('node_modules/ms/planted.js', 'planted'),
    () => fs.renameSync('node_modules/ms/license.md', 'node_modules/ms/planted.md'),
    () => fs.writeFileSync('node_modules/planted.js', 'planted'),
    () => fs.utimesSync(file, atime, mtime),
  ]
  for (const attempt of tries) {
    try {
      attempt()
    } catch {}
  }
  run('chattr', ['-i', file])
}
