// Loads the native part of oxfmt. The ES modules around it take 10 ms to load, so the command line contains this module
// in place of oxfmt. It finds the native package from the folder of oxfmt, where each package manager places it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const formatter = join(process.cwd(), 'scripts/oxfmt.mjs')
const package_ = join(process.cwd(), 'node_modules/oxfmt/dist')

export const nativeFormatter = {
  name: 'native-formatter',
  resolveId(id, importer) {
    if (id === 'oxfmt') return importer === formatter ? { id, external: true } : formatter
    return id === 'oxfmt-bindings' ? bindings() : undefined
  },
  transform: {
    filter: { id: /oxfmt\/dist\/bindings-.*\.js$/ },
    handler: (code) => edits.reduce(edited, code),
  },
}

function bindings() {
  const found = readdirSync(package_).filter((name) => /^bindings-.*\.js$/.test(name))
  if (found.length !== 1)
    throw new Error('oxfmt has other files now: update scripts/native-formatter.mjs')
  return join(package_, found[0])
}

const edits = [
  [/^import \{ s as __exportAll \} from "\.\/apis-.*";$/m, ''],
  [/^var bindings_exports = [^;]*;$/m, ''],
  [
    'createRequire(import.meta.url)',
    'createRequire(createRequire(import.meta.url).resolve("oxfmt"))',
  ],
  [/^export \{ .* \};$/m, 'export { format };'],
]

function edited(code, [found, next]) {
  const text = code.replace(found, next)
  if (text !== code) return text
  throw new Error(`oxfmt no longer contains ${found}: update scripts/native-formatter.mjs`)
}
