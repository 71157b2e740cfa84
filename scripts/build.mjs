// Builds dist/: the entry point of the command line, the chunks that its commands load, and the
// daemon.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildPage } from './build-page.mjs'
import { licensesOf } from './licenses.mjs'
import { nativeFormatter } from './native-formatter.mjs'
import { precompileTemplates } from './precompile-templates.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const transform = { target: 'node20.19', define: { STRATA_VERSION: JSON.stringify(version) } }

/**
 * Removes an import from commander that takes 5 ms. Commander needs it for commands that are
 * separate programs; strata has none.
 */
const commanderWithoutChildProcess = {
  name: 'commander-without-child-process',
  transform: {
    filter: { id: /commander\/lib\/command\.js$/ },
    handler(code) {
      const needed = "const childProcess = require('node:child_process');"
      if (!code.includes(needed))
        throw new Error(`commander no longer contains ${needed}: update scripts/build.mjs`)
      return code.replace(needed, 'const childProcess = {};')
    },
  },
}

/** Makes ts-morph create the texts of TypeScript's libraries, 2.8 MB, when they are needed: seldom. */
const tsMorphWithoutLibs = {
  name: 'ts-morph-without-libs',
  transform: {
    filter: { id: /ts-morph-common\.js$/ },
    handler(code) {
      const [list, use] = ['const libFiles = [{', 'return libFiles;']
      if (!code.includes(list) || !code.includes(use))
        throw new Error('ts-morph no longer contains libFiles: update scripts/build.mjs')
      return code.replace(list, 'const libFiles = () => [{').replace(use, 'return libFiles();')
    },
  },
}

/** Each built file replaces the previous one atomically: concurrent runs read either the previous or the new build. */
const fresh = join('.cache', `dist-${process.pid}`)

precompileTemplates()
rmSync(fresh, { recursive: true, force: true })
const bundle = await rolldown({
  input: { strata: 'src/cli/main.ts' },
  platform: 'node',
  // Packages that are native or load their own files: a bundle would break them or slow them down.
  external: ['@photostructure/sqlite'],
  // The main file of jsonc-parser requires its modules by a function that no bundler follows.
  resolve: {
    alias: { 'jsonc-parser': join(process.cwd(), 'node_modules/jsonc-parser/lib/esm/main.js') },
  },
  transform,
  plugins: [commanderWithoutChildProcess, nativeFormatter, tsMorphWithoutLibs],
})
const { output } = await bundle.write({
  dir: fresh,
  // Node starts CommonJS some milliseconds faster than ES modules.
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: chunkName,
  minify: true,
})
for (const { fileName, code } of output)
  writeFileSync(join(fresh, fileName), cacheable(fileName, code))

const bundled = output.flatMap(({ moduleIds }) => moduleIds)
writeFileSync(join(fresh, 'licenses.txt'), licensesOf(bundled))

// The daemon loads its packages from node_modules: it starts rarely, so its start time matters
// little. The gateway uses no packages.
const daemon = await rolldown({
  input: {
    stratad: 'daemon/main.ts',
    'strata-gateway': 'daemon/gateway/main.ts',
    'strata-volume-reader': 'daemon/store/backup/reader/main.ts',
  },
  platform: 'node',
  external: (id) =>
    Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
  resolve: { alias: stubs() },
  transform,
})
await daemon.write({
  dir: fresh,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'stratad-[name].cjs',
  sourcemap: true,
})

// Releases of static sites contain this program, so it imports only Node's modules.
const siteServer = await rolldown({
  input: { 'strata-serve': 'daemon/build/site/main.ts' },
  platform: 'node',
  transform,
})
await siteServer.write({ dir: fresh, format: 'cjs', entryFileNames: '[name].cjs', minify: true })

// Projects run these programs with their own packages. They import nothing but Node's modules and theirs.
const workers = {
  'strata-copy-worker': 'src/cli/generate/copy/worker/main.ts',
  'strata-inspect-worker': 'src/cli/generate/inspect/worker/main.ts',
  'strata-route-recorder': 'src/cli/check/route-recorder/main.ts',
}
for (const [name, path] of Object.entries(workers)) {
  const worker = await rolldown({ input: { [name]: path }, platform: 'node', transform })
  await worker.write({ dir: fresh, format: 'cjs', entryFileNames: '[name].cjs' })
}

rmSync('.cache/code', { recursive: true, force: true })
mkdirSync('dist', { recursive: true })
const built = readdirSync(fresh)
for (const name of built) renameSync(join(fresh, name), join('dist', name))
for (const name of readdirSync('dist')) {
  if (!built.includes(name) && name !== 'dashboard') rmSync(join('dist', name))
}
rmSync(fresh, { recursive: true })

await buildPage('dist/dashboard')

/**
 * Replaces packages that dockerode and the drivers of databases load and the daemon does not use: ssh2 and pg-native have
 * native code, gRPC and protobuf are large, and `debug` would print private keys if somebody set DEBUG.
 */
function stubs() {
  const dockerode = ['ssh2', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'tar-fs', 'debug']
  const names = [...dockerode, 'pg-native', 'pg-cloudflare']
  return Object.fromEntries(
    names.map((name) => [name, join(process.cwd(), 'scripts/unused-package.cjs')]),
  )
}

/**
 * Prepares a chunk for bin/code-cache.js: code from a cache can't use `import()`. Escapes other characters than ASCII, because
 * one character beyond Latin-1 doubles the memory of its chunk.
 */
function cacheable(fileName, code) {
  if (/\\[^\0-\x7f]/.test(code))
    throw new Error(`${fileName}: a backslash precedes a character to escape`)
  return code
    .replace(
      /\bimport\((`(?:oxfmt|@photostructure\/sqlite)`)\)/g,
      'require(`../bin/import.js`).importModule($1)',
    )
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Names a chunk after its entry point, or after the folder that most of its own modules come from. */
function chunkName({ facadeModuleId, moduleIds }) {
  if (facadeModuleId) return `${label(facadeModuleId)}.cjs`
  const own = moduleIds.filter((id) => id.endsWith('.ts'))
  if (own.length === 0) return '[name].cjs'
  if (own.length === 1) return `${label(own[0])}.cjs`
  const counts = new Map()
  for (const id of own) counts.set(dirname(id), (counts.get(dirname(id)) ?? 0) + 1)
  const [[folder]] = [...counts].sort(([, a], [, b]) => b - a)
  return `${label(folder)}.cjs`
}

/** `src/cli/client/up/up.ts` → `cli-client-up`. */
function label(path) {
  const [first, ...rest] = relative('.', path)
    .replace(/\.(ts|mjs)$/, '')
    .split('/')
  const parts = first === 'src' ? rest : [first, ...rest]
  return parts.filter((part, at) => part !== parts[at - 1]).join('-')
}
