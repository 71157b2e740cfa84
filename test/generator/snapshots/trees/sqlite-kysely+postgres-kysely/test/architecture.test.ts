import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** Layers that each layer may import besides itself. A layer is a folder; the ports have a layer of their own. */
const layers: Record<string, readonly string[]> = {
  domain: [],
  ports: ['domain'],
  repositories: ['domain', 'ports', 'infra', 'generated'],
  'use-cases': ['domain', 'ports'],
  handlers: ['domain', 'use-cases', 'http'],
  http: ['domain', 'ports', 'infra'],
  infra: [],
}

/** Layers that all other files may import: only container.ts knows the adapters in `repositories`. */
const others = ['domain', 'ports', 'use-cases', 'handlers', 'http', 'infra']

/** Matches `repository.ts` and `post.repository.ts`, but no adapter. */
const port = /^repositories\/(?:[\w-]+\.)?repository\.[jt]s$/

const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('generated/'),
  )

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), 'utf8')
  return [...text.matchAll(/(?:from|import)[\s(]+'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(src, join(src, dirname(file), path)).replaceAll('\\', '/'),
  )
}

function layerOf(path: string): string {
  if (port.test(path)) return 'ports'
  return path.includes('/') ? (path.split('/')[0] ?? '') : ''
}

test('each layer imports only the layers it may import', () => {
  const wrong = files.flatMap((file) => {
    const layer = layerOf(file)
    const allowed = ['', layer, ...(layers[layer] ?? others)]
    return importsOf(file)
      .filter((path) => file !== 'container.ts' && !allowed.includes(layerOf(path)))
      .map((path) => `${file} imports ${path}`)
  })
  expect(files.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})
