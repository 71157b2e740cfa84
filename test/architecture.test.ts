import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ormKinds } from '../src/generator/model/store-kinds.ts'
import { availableKinds, storeOf } from '../src/generator/stores/stores.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The stages of a generator run, with the folders that each stage may import besides itself. */
const stages: Record<string, readonly string[]> = {
  'src/generator/model': [],
  'src/generator/spec': ['src/generator/model'],
  'src/generator/migrate': ['src/generator/model'],
  'src/generator/stores': ['src/generator/model', 'src/generator/migrate'],
  'src/generator/render': ['src/generator/model', 'src/generator/stores'],
  'src/generator/wire': ['src/generator/model', 'src/generator/render'],
  'src/generator/merge': ['src/generator/render'],
  'src/generator/rename': ['src/generator/model'],
  'src/generator/plan': [
    'src/generator/merge',
    'src/generator/model',
    'src/generator/migrate',
    'src/generator/rename',
    'src/generator/spec',
    'src/generator/stores',
    'src/generator/render',
    'src/generator/wire',
  ],
  'src/generator/write': ['src/generator/plan'],
  'src/generator/copy': ['src/generator/model'],
  'src/generator/inspect': ['src/generator/migrate', 'src/generator/model', 'src/generator/stores'],
}

/** Packages that are slow to load or have side effects, with the folders that may import them. */
const owners: Record<string, readonly string[]> = {
  commander: ['src/cli'],
  'ts-morph': ['src/generator/wire', 'src/generator/merge', 'src/generator/rename'],
  oxfmt: ['src/generator/render'],
  'handlebars/runtime.js': ['src/generator/render'],
  'node-diff3': ['src/generator/merge'],
  'jsonc-parser': ['src/generator/merge'],
  'node:child_process': ['src/cli'],
  'node:fs': ['src/cli', 'src/generator/write'],
}

const files = sourcesIn('src').filter((path) => !path.endsWith('.test.ts'))

describe('the generator', () => {
  test('has files in every stage that this test knows', () => {
    expect(files.length).toBeGreaterThan(80)
    for (const stage of Object.keys(stages)) {
      expect(files.filter((path) => path.startsWith(`${stage}/`)).length, stage).toBeGreaterThan(1)
    }
  })

  test('has stages that import only the stages listed for them', () => {
    const wrong = files.flatMap((file) => {
      const allowed = stages[dirname(file)] ?? stages[dirname(dirname(file))]
      if (!allowed) return []
      return importsOf(file)
        .filter((path) => path.startsWith('src/') && !path.startsWith(stageOf(file)))
        .filter((path) => path !== 'src/generator/errors.ts')
        .filter((path) => !allowed.some((stage) => path.startsWith(`${stage}/`)))
        .map((path) => `${file} imports ${path}`)
    })
    expect(wrong).toEqual([])
  })

  test.each(Object.entries(owners))('only its owner imports %s', (name, places) => {
    const importing = files.filter((file) => importsOf(file).includes(name))
    expect(importing.length).toBeGreaterThan(0)
    expect(
      importing.filter((file) => !places.some((place) => file.startsWith(`${place}/`))),
    ).toEqual([])
  })
})

test('templates for all stores name no store', () => {
  const stores = /sqlite|postgres|mysql|sqlserver|mongo|elastic|dynamo|prisma|libsql/i
  const shared = ['templates/project', 'templates/auth', 'templates/feature'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.hbs'))
      .map((path) => join(folder, path)),
  )
  expect(shared.length).toBeGreaterThan(40)
  expect(shared.filter((path) => stores.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

describe('templates', () => {
  const templates = readdirSync(join(root, 'templates'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.hbs'))

  test('are all in a layer of a kind or in partials', () => {
    const kysely = ormKinds.kysely.map((database) => storeOf({ database, orm: 'kysely' }))
    const stores = [...availableKinds.map((kind) => storeOf(kind)), ...kysely]
    const layers = stores.flatMap(({ templates }) => Object.values(templates).flat())
    const folders = [
      'project',
      'setup',
      'server',
      'aliases',
      'auth',
      'feature',
      'partials',
      ...layers,
    ]
    const isInFolder = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`))
    expect(templates.filter((path) => !isInFolder(path))).toEqual([])
  })

  test('have at most three conditionals each', () => {
    const counts = templates.map((path) => {
      const text = readFileSync(join(root, 'templates', path), 'utf8')
      return { path, count: text.match(/\{\{~?(?:#if|#unless|else if)\b/g)?.length ?? 0 }
    })
    expect(counts.filter(({ count }) => count > 3)).toEqual([])
    expect(counts.filter(({ count }) => count > 0).length).toBeGreaterThan(10)
  })

  test('include every partial', () => {
    const texts = [
      ...templates.map((path) => `templates/${path}`),
      'src/generator/render/access-view.ts',
      'src/generator/render/prisma-conversions.ts',
      'src/generator/render/test-view.ts',
    ].map((path) => readFileSync(join(root, path), 'utf8'))
    const partials = templates.flatMap((path) => /^partials\/(.*)\.hbs$/.exec(path)?.[1] ?? [])
    const isIncluded = (name: string) =>
      texts.some((text) => text.includes(`{{> ${name}`) || text.includes(`'${name}'`))
    expect(partials.filter((name) => !isIncluded(name))).toEqual([])
  })
})

describe('the command line, the generator and the daemon', () => {
  test('the command line imports nothing of daemon/ but daemon/client', () => {
    const foreign = importsBetween('src/cli', ['daemon'])
    expect(foreign.length).toBeGreaterThan(0)
    expect(foreign.filter((line) => !line.includes(' imports daemon/client/'))).toEqual([])
  })

  test('the generator imports nothing of daemon/ or src/cli', () => {
    expect(importsBetween('src/generator', ['daemon', 'src/cli'])).toEqual([])
  })

  test('the daemon imports nothing of src/', () => {
    expect(importsBetween('daemon', ['src'])).toEqual([])
  })

  test('src/cli has no import cycle, type imports included', () => {
    expect(cyclesIn(sourcesIn('src/cli'))).toEqual([])
  })
})

/** Returns the TypeScript files below a folder, including tests, relative to the root. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.includes('/fixtures/'))
}

function importsBetween(from: string, targets: readonly string[]): string[] {
  return sourcesIn(from).flatMap((file) =>
    importsOf(file)
      .filter((path) => targets.some((target) => path.startsWith(`${target}/`)))
      .map((path) => `${file} imports ${path}`),
  )
}

function cyclesIn(sources: readonly string[]): string[] {
  const finished = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, trail: readonly string[]) => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
    if (trail.includes(file) || finished.has(file) || !sources.includes(file)) return
    for (const path of importsOf(file)) visit(path, [...trail, file])
    finished.add(file)
  }
  for (const file of sources) visit(file, [])
  return cycles
}

/** Returns the imports of a file: packages by name, files relative to the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const sources = text.matchAll(/(?:from|import) '([^']+)'|import\('([^']+)'\)/g)
  return [...sources].map(([, named, loaded]) => {
    const source = named ?? loaded ?? ''
    return source.startsWith('.') ? relative(root, join(root, dirname(file), source)) : source
  })
}

function stageOf(file: string): string {
  return file.split('/').slice(0, 3).join('/')
}
