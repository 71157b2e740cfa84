import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'

/** A file of the built page with its compressed variants. */
export interface PageFile {
  readonly type: string
  readonly etag: string
  readonly bytes: Buffer
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
}

export interface BuiltPage {
  readonly index: PageFile
  /** The other files by name. Their names contain a hash of their content. */
  readonly assets: ReadonlyMap<string, PageFile>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Reads the files of the built page, about 1 MB, into memory: a later build or upgrade must not mix two versions.
 * Returns undefined if the folder holds no built page.
 */
export function readBuiltPage(folder: string): BuiltPage | undefined {
  const names = namesIn(folder)
  if (!names.includes('index.html')) return undefined
  const read = (name: string): PageFile => {
    const bytes = readFileSync(join(folder, name))
    const variant = (suffix: string) =>
      names.includes(name + suffix) ? readFileSync(join(folder, name + suffix)) : undefined
    return {
      type: types[extname(name)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      bytes,
      gzip: variant('.gz'),
      brotli: variant('.br'),
    }
  }
  const assets = names.filter((name) => extname(name) in types && name !== 'index.html')
  return {
    index: read('index.html'),
    assets: new Map(assets.map((name) => [name, read(name)])),
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
