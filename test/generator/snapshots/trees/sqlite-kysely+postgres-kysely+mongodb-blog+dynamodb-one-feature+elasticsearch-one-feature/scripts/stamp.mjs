// dist/.inputs holds a hash of the build's inputs, so that `npm start` rebuilds only if an input changed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const stamp = join('dist', '.inputs')
const files = ['package.json', 'tsconfig.json', 'tsconfig.build.json']

export function isStale() {
  try {
    return readFileSync(stamp, 'utf8') !== hashInputs()
  } catch {
    return true
  }
}

function hashInputs() {
  const sources = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join('src', 'generated')))
  const hash = createHash('sha256')
  for (const path of [...files, ...sources].sort())
    hash.update(`${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(stamp, hashInputs())
