import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createModel } from '../../src/generator/model/build.ts'
import { storeKinds } from '../../src/generator/model/store-kinds.ts'
import { storeOf } from '../../src/generator/stores/stores.ts'
import { temporaryFolder } from '../support/generator/folders.ts'
import { newTree, type Tree } from '../support/generator/memory-project.ts'

const projects = storeKinds.flatMap((database) => [
  { database, auth: false },
  { database, auth: true },
])

/** Variables that `compose.yaml` requires. */
const required = /\$\{(\w+):\?/g

describe.each(projects)(
  'a new clone of a project on $database, auth: $auth',
  ({ database, auth }) => {
    const tree = newTree(createModel({ name: 'shop', module: 'shop', database, auth }))
    const textOf = async (path: string) => (await tree).get(path) ?? ''

    test('has every setting that the app and compose.yaml need after `npm run setup`', async () => {
      const folder = write(await tree)
      const { scripts } = JSON.parse(await textOf('package.json'))
      if (scripts.setup) run(folder, scripts.setup)
      const env = scripts.setup ? parseEnv(readFileSync(join(folder, '.env'), 'utf8')) : {}
      for (const [, name = ''] of (await textOf('compose.yaml')).matchAll(required)) {
        expect(env[name], name).toMatch(/^[\w-]{40,}$/)
      }
      const { pattern, default: usual } = storeOf(database).databaseUrl
      const url = env.DATABASE_URL ?? usual
      expect(url).toMatch(new RegExp(pattern.replace(/^\/|\/i?$/g, ''), 'i'))
      expect(url).not.toMatch(/undefined|\$/)
      if (auth) expect(Buffer.byteLength(env.JWT_SECRET ?? '')).toBeGreaterThanOrEqual(32)
    })

    test('has a workflow whose scripts exist and whose service is the one of compose.yaml', async () => {
      const { jobs } = parse(await textOf('.github/workflows/ci.yml'))
      const { services: composed } = parse(await textOf('compose.yaml'))
      const { scripts } = JSON.parse(await textOf('package.json'))
      const { steps, services = {}, env } = jobs.check
      const commands: string[] = steps.flatMap(({ run }: { run?: string }) => run ?? [])
      for (const [, name = ''] of commands.join('\n').matchAll(/npm run (\w+)/g)) {
        expect(scripts).toHaveProperty(name)
      }
      const { app: _, ...stores } = composed
      expect(imagesOf(services)).toEqual(imagesOf(stores))
      for (const service of Object.values<Service>(services)) {
        expect(service.options).toContain('--health-cmd')
        expect(env.TEST_DATABASE_URL).toContain(service.ports[0]?.split(':')[0])
      }
    })
  },
)

test('`npm run setup` keeps settings, fills in empty ones and changes nothing the second time', async () => {
  const folder = write(await newTree(createModel({ ...projectOf('postgres'), auth: true })))
  writeFileSync(join(folder, '.env'), 'LOG_LEVEL=debug\nPOSTGRES_PASSWORD=mine\nJWT_SECRET=\n')
  run(folder, 'node scripts/setup.mjs')
  const text = readFileSync(join(folder, '.env'), 'utf8')
  expect(parseEnv(text)).toMatchObject({
    LOG_LEVEL: 'debug',
    POSTGRES_PASSWORD: 'mine',
    DATABASE_URL: 'postgres://app:mine@localhost:5432/app',
    JWT_SECRET: expect.stringMatching(/^.{32,}$/),
  })
  expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0o044)
  run(folder, 'node scripts/setup.mjs')
  expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(text)
})

interface Service {
  readonly image: string
  readonly options: string
  readonly ports: readonly string[]
}

function imagesOf(services: Readonly<Record<string, Service>>): string[] {
  return Object.values(services).map(({ image }) => image)
}

function projectOf(database: (typeof storeKinds)[number]) {
  return { name: 'shop', module: 'shop', database }
}

/** Writes what git has: no `.env`. */
function write(tree: Tree): string {
  const folder = temporaryFolder()
  for (const [path, text] of tree) {
    if (path === '.env' || path.startsWith('.strata/')) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

function run(folder: string, script: string): void {
  const [program = '', ...args] = script.split(' ')
  execFileSync(program, args, { cwd: folder })
}
