import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../daemon', import.meta.url))

/** What everything may know: the words that parts talk to each other in. */
const common = ['domain', 'errors.ts', 'ports.ts']

/** The parts of the daemon, and what each may import besides itself and what all may. */
const parts: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  api: ['app/ground/use-cases.ts', 'git/branch-name.ts', 'git/remote-url.ts'],
  async: [],
  app: ['async', 'git/branch-name.ts', 'git/remote-url.ts'],
  store: ['vault', 'durable-files.ts'],
  vault: ['durable-files.ts'],
  git: ['spawn'],
  build: ['spawn'],
  logs: [],
  runtime: ['async', 'logs', 'spawn', 'durable-files.ts'],
  gateway: [],
  webhooks: ['api/fields.ts', 'git/remote-url.ts'],
  proxy: [],
  client: [
    'api',
    'auto-token.ts',
    'gateway/link.ts',
    'gateway/socket-path.ts',
    'git/remote-url.ts',
  ],
  http: ['api', 'app', 'proxy', 'webhooks', 'git/branch-name.ts', 'git/remote-url.ts'],
}

/** Packages that touch the world, and the parts that may. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': [
    'git',
    'build',
    'spawn',
    'runtime',
    'gateway',
    'logs',
    'app/manage/infra.ts',
    'store/full-check.ts',
  ],
  '@photostructure/sqlite': ['store', 'instance-lock.ts'],
  kysely: ['store'],
  express: ['http'],
  tar: ['store', 'git', 'app'],
  pino: ['logger.ts', 'start.ts'],
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.test\.ts$|\/fixtures\//.test(path),
)

describe('the daemon', () => {
  test('is seen by this test', () => {
    expect(files.length).toBeGreaterThan(200)
    for (const part of Object.keys(parts)) {
      expect(files.filter((file) => partOf(file) === part).length, part).toBeGreaterThan(1)
    }
  })

  test('has parts that know only what they may', () => {
    const wrong = files.flatMap((file) => {
      const allowed = parts[partOf(file)]
      if (!allowed) return []
      return importsOf(file)
        .filter((path) => !path.startsWith('..') && /\.ts$/.test(path))
        .filter((path) => ![partOf(file), ...common, ...allowed].some((may) => isIn(path, may)))
        .map((path) => `${file} imports ${path}`)
    })
    expect(wrong).toEqual([])
  })

  test('has a domain that touches nothing', () => {
    const outside = files
      .filter((file) => partOf(file) === 'domain')
      .flatMap((file) => importsOf(file).filter((name) => !name.endsWith('.ts')))
    expect(outside.filter((name) => !['node:crypto', 'picomatch'].includes(name))).toEqual([])
  })

  test.each(Object.entries(owners))('only its owners import %s', (name, places) => {
    const importing = files.filter((file) => importsOf(file).includes(name))
    expect(importing.length).toBeGreaterThan(0)
    expect(importing.filter((file) => !places.some((place) => isIn(file, place)))).toEqual([])
  })

  test('has a gateway that loads no package', () => {
    const packages = files
      .filter((file) => file.startsWith('gateway/proxy-process/') || file === 'gateway/main.ts')
      .flatMap((file) => importsOf(file).filter((name) => !/\.ts$|^node:/.test(name)))
    expect(packages).toEqual([])
  })

  test('asks no shell', () => {
    const asking = files.filter((file) => /shell: true|execSync|\bexec\(`/.test(textOf(file)))
    expect(asking).toEqual([])
  })
})

function partOf(file: string): string {
  return file.split('/', 1)[0] ?? ''
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** Packages by name, files relative to the daemon's folder. */
function importsOf(file: string): string[] {
  const sources = textOf(file).matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)
  return [...sources].map(([, named, loaded]) => {
    const source = named ?? loaded ?? ''
    return source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source
  })
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
