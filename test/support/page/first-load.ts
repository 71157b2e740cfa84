import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url))

export interface LoadedFile {
  readonly name: string
  readonly bytes: number
  readonly gzipBytes: number
}

/** Returns the scripts and styles that the built page loads before the overview shows, with the page itself. */
export function firstLoadFiles(): readonly LoadedFile[] {
  const html = readFileSync(`${folder}index.html`, 'utf8')
  const names = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)]
  return ['index.html', ...names.map(([, name = '']) => name)].map((name) => {
    const bytes = readFileSync(folder + name)
    return { name, bytes: bytes.length, gzipBytes: gzipSync(bytes, { level: 9 }).length }
  })
}

/** The budget of the first load: 90 kB, gzipped. */
export const firstLoadBudgetBytes = 90_000
