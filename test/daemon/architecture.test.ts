import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../daemon', import.meta.url))

/** Every part of the daemon may import these. */
const common = ['domain', 'errors.ts', 'ports.ts', 'trees.ts', 'open-folder.ts']

/** The imports allowed to each part, besides itself and `common`. */
const parts: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  api: ['app/ground/use-cases.ts', 'git/branch-name.ts', 'git/remote-url.ts'],
  async: [],
  app: ['async', 'durable-files.ts', 'git/branch-name.ts', 'git/remote-url.ts'],
  store: ['async', 'vault', 'durable-files.ts'],
  vault: ['durable-files.ts'],
  git: ['async', 'spawn'],
  hosted: ['async', 'spawn', 'git/git-program.ts'],
  databases: ['async'],
  outgoing: [],
  engine: ['async', 'durable-files.ts'],
  build: ['async', 'spawn', 'engine'],
  logs: ['async'],
  runtime: ['async', 'engine', 'logs', 'spawn', 'durable-files.ts'],
  fleet: ['async', 'engine', 'runtime/docker'],
  walls: ['async', 'instance-lock.ts', 'engine/version.ts'],
  gateway: ['async'],
  webhooks: ['api/fields.ts', 'git/remote-url.ts'],
  traefik: ['async', 'engine'],
  dashboard: ['client', 'http/errors.ts'],
  client: [
    'api',
    'config.ts',
    'config-file.ts',
    'generated-secrets.ts',
    'gateway/link.ts',
    'gateway/socket-path.ts',
    'git/remote-url.ts',
    // For `strata server upgrade`, while no daemon runs.
    'store/database-swap.ts',
    'store/snapshot.ts',
  ],
  http: ['api', 'app', 'async', 'traefik', 'webhooks', 'git/branch-name.ts', 'git/remote-url.ts'],
}

/**
 * The folders of `daemon/app`, top to bottom: a folder imports only itself and the folders below.
 */
const folders = ['upkeep', 'manage', 'requests', 'deploy', 'run', 'ground']

/** Packages with side effects, and the only parts that may import them. */
const owners: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': [
    'git',
    // Types only.
    'hosted',
    'build',
    'spawn',
    'walls',
    // Types only.
    'databases',
    // Types only.
    'ports/walls.ts',
    'runtime',
    'gateway',
    'logs',
    'walls',
    'host-probe.ts',
    'store/full-check.ts',
    'store/backup/archives.ts',
    'store/backup/read-volume.ts',
    'store/backup/reader',
  ],
  '@photostructure/sqlite': ['store', 'instance-lock.ts'],
  kysely: ['store'],
  express: ['http', 'dashboard/serve.ts'],
  tar: ['store', 'git', 'app', 'build/image', 'fleet', 'runtime/docker', 'traefik'],
  pino: ['logger.ts'],
  dockerode: ['engine'],
  pg: ['databases'],
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.test\.ts$|\/fixtures\//.test(path),
)

describe('the architecture test', () => {
  test('visits every part of the daemon and every folder of daemon/app', () => {
    expect(files.length).toBeGreaterThan(200)
    for (const part of Object.keys(parts)) {
      expect(files.filter((file) => partOf(file) === part).length, part).toBeGreaterThan(0)
    }
    for (const folder of folders) {
      expect(files.filter((file) => isIn(file, `app/${folder}`)).length, folder).toBeGreaterThan(2)
    }
  })
})

describe('the daemon', () => {
  test('imports between its parts only what the table allows', () => {
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

  test('keeps each file of daemon/app in a folder, apart from app.ts', () => {
    const outside = files.filter((file) => isIn(file, 'app') && folderOf(file) === undefined)
    expect(outside).toEqual(['app/app.ts'])
  })

  test.each(folders)(
    'imports into app/%s nothing from a folder above, types included',
    (folder) => {
      const above = folders.slice(0, folders.indexOf(folder))
      const imports = files
        .filter((file) => folderOf(file) === folder)
        .flatMap((file) => importsOf(file).map((path) => ({ file, path })))
      expect(imports.length).toBeGreaterThan(3)
      const wrong = imports.filter(
        ({ path }) => path === 'app/app.ts' || above.some((name) => isIn(path, `app/${name}`)),
      )
      expect(wrong).toEqual([])
    },
  )

  test('imports into its domain no package with side effects', () => {
    const outside = files
      .filter((file) => partOf(file) === 'domain')
      .flatMap((file) => importsOf(file).filter((name) => !name.endsWith('.ts')))
    expect(
      outside.filter(
        (name) =>
          !['node:crypto', 'node:net', 'node:url', 'node:util', 'picomatch', 'croner'].includes(
            name,
          ),
      ),
    ).toEqual([])
  })

  test.each(Object.entries(owners))('imports %s only in the parts that own it', (name, places) => {
    const importing = files.filter((file) => importsOf(file).includes(name))
    expect(importing.length).toBeGreaterThan(0)
    expect(importing.filter((file) => !places.some((place) => isIn(file, place)))).toEqual([])
  })

  test('loads no package into the gateway process', () => {
    const packages = files
      .filter((file) => file.startsWith('gateway/proxy-process/') || file === 'gateway/main.ts')
      .flatMap((file) => importsOf(file).filter((name) => !/\.ts$|^node:/.test(name)))
    expect(packages).toEqual([])
  })

  test('runs no command through a shell', () => {
    const shells = files.filter((file) => /shell: true|execSync|\bexec\(`/.test(textOf(file)))
    expect(shells).toEqual([])
  })
})

function partOf(file: string): string {
  return file.split('/', 1)[0] ?? ''
}

function folderOf(file: string): string | undefined {
  return folders.find((folder) => isIn(file, `app/${folder}`))
}

function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** Returns the imports of a file: packages by name, files relative to the daemon's folder. */
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
