import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { setup as buildStrata } from '../support/generator/build.ts'
import { treeFiles } from '../support/tree.ts'
import { initApp } from './emitted-app.ts'

let folder: string
let root: string
let files: Map<string, string>
let password: string

beforeAll(async () => {
  buildStrata()
  folder = mkdtempSync(join(tmpdir(), 'strata-settings-'))
  root = await initApp(join(folder, 'one'), 'postgres')
  files = treeFiles(root)
  password = passwordOf(files)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the password of a new postgres project', () => {
  test('has 32 URL-safe characters and is in the URL of .env', () => {
    expect(password).toMatch(/^[\w-]{32}$/)
    const { DATABASE_URL } = settingsOf(files)
    expect(DATABASE_URL).toBe(`postgres://app:${password}@localhost:5432/app`)
  })

  test('is stored only in .env, which only its owner can read', () => {
    expect(statSync(join(root, '.env')).mode & 0o777).toBe(0o600)
    const holders = [...files].filter(([, text]) => text.includes(password))
    expect(holders.map(([path]) => path)).toEqual(['.env'])
  })

  test('differs between projects', async () => {
    const other = treeFiles(await initApp(join(folder, 'two'), 'postgres'))
    expect(passwordOf(other)).not.toBe(password)
    const differing = [...files].filter(([path, text]) => other.get(path) !== text)
    expect(differing.map(([path]) => path)).toEqual(['.env'])
  })

  test('is in a file that git ignores', () => {
    run('git', ['init', '--quiet', root])
    expect(run('git', ['-C', root, 'check-ignore', '.env']).stdout.trim()).toBe('.env')
    expect(run('git', ['-C', root, 'status', '--short', '-uall']).stdout).not.toMatch(/\.env$/m)
  })
})

const noCompose =
  run('docker', ['compose', 'version']).status === 0 ? undefined : 'docker compose is not here'

describe.skipIf(noCompose)(
  `compose.yaml of a postgres project${noCompose ? `, for ${noCompose}` : ''}`,
  () => {
    test('gives app and database the password of .env, and starts the app once the database is healthy', () => {
      const { services } = composition.parse(
        JSON.parse(compose('config', '--format', 'json').stdout),
      )
      expect(services.postgres.environment).toMatchObject({ POSTGRES_PASSWORD: password })
      expect(services.app.environment).toMatchObject({
        DATABASE_URL: `postgres://app:${password}@postgres:5432/app`,
      })
      expect(services.app.depends_on.postgres.condition).toBe('service_healthy')
      // Checks TCP: while PostgreSQL initializes its data folder, it accepts connections on a Unix socket only.
      expect(services.postgres.healthcheck.test).toEqual(
        expect.arrayContaining(['CMD', 'pg_isready', '-h', '127.0.0.1']),
      )
    })

    test('fails without a password', () => {
      const { status, stderr } = compose('--env-file', '/dev/null', 'config')
      expect(status).not.toBe(0)
      expect(stderr).toContain('POSTGRES_PASSWORD')
    })
  },
)

const service = z.object({ environment: z.record(z.string(), z.string()) })
const composition = z.object({
  services: z.object({
    app: service.extend({
      depends_on: z.object({ postgres: z.object({ condition: z.string() }) }),
    }),
    postgres: service.extend({ healthcheck: z.object({ test: z.array(z.string()) }) }),
  }),
})

function compose(...args: readonly string[]) {
  return run('docker', ['compose', '--project-directory', root, ...args])
}

function passwordOf(texts: ReadonlyMap<string, string>): string {
  return settingsOf(texts).POSTGRES_PASSWORD ?? ''
}

function settingsOf(texts: ReadonlyMap<string, string>) {
  return parseEnv(texts.get('.env') ?? '') as Readonly<Record<string, string | undefined>>
}

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { encoding: 'utf8' })
}
