import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** Layers that each layer may import besides itself. Files in no layer may import all of them. */
const layers: Record<string, readonly string[]> = {
  domain: [],
  repositories: ['domain', 'infra', 'generated'],
  'use-cases': ['domain', 'repositories'],
  handlers: ['domain', 'use-cases', 'http'],
  http: ['domain', 'repositories', 'infra'],
  infra: ['domain'],
}

/** Matches adapters, `post.repository.<adapter>.js`, but not ports, `post.repository.js`. */
const isAdapter = (path: string) => /\.repository\.[\w-]+\.[jt]s$/.test(path)

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('generated/'),
  )

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
    relative(src, join(src, dirname(file), path)).replaceAll('\\', '/'),
  )
}

function layerOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

test('each layer imports only the layers it may import', () => {
  const wrong = files.flatMap((file) => {
    const allowed = layers[layerOf(file)]
    if (!allowed) return []
    return importsOf(file)
      .filter((path) => layerOf(path) !== layerOf(file) && !allowed.includes(layerOf(path)))
      .map((path) => `${file} imports ${path}`)
  })
  expect(files.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

test('only container.ts imports adapters', () => {
  const naming = files.filter((file) => importsOf(file).some(isAdapter))
  expect(naming.filter((file) => file !== 'container.ts')).toEqual([])
})
