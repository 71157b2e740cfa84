// Builds the page (dashboard) into a folder of files that the daemon serves.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const source = 'daemon/dashboard/page'

/**
 * Writes the files of the page into `folder`, and removes those of an earlier build. Each file replaces its earlier version
 * atomically, and index.html comes last: a daemon that starts meanwhile reads a whole page.
 */
export async function buildPage(folder) {
  const shared = {
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    legalComments: 'none',
    target: ['chrome123', 'firefox125', 'safari17.5'],
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
  }
  const [main, theme] = await Promise.all([
    build({
      ...shared,
      entryPoints: [`${source}/main.tsx`, `${source}/styles/main.css`],
      format: 'esm',
      splitting: true,
    }),
    // A classic script: it runs before the first paint, so that the page never flashes in the other theme.
    build({ ...shared, entryPoints: [`${source}/apply-theme.ts`], format: 'iife' }),
  ])
  const icon = readFileSync(`${source}/icon.svg`)
  const iconName = `icon-${createHash('sha256').update(icon).digest('hex').slice(0, 8)}.svg`
  const files = new Map([
    ...[...main.outputFiles, ...theme.outputFiles].map(({ path, contents }) => [
      basename(path),
      Buffer.from(contents),
    ]),
    [iconName, icon],
    ['licenses.txt', licenses(main.metafile)],
  ])
  const outputs = { ...main.metafile.outputs, ...theme.metafile.outputs }
  files.set('index.html', Buffer.from(indexHtml(outputs, iconName)))
  replaceFiles(folder, files)
}

/** Names the scripts and styles of the first load: the entry, its static imports, and the room that opens first. */
function indexHtml(outputs, iconName) {
  const entryOf = (path) => {
    const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === path)
    if (!found) throw new Error(`the build has no output of ${path}: update scripts/build-page.mjs`)
    return found[0]
  }
  const script = entryOf(`${source}/main.tsx`)
  const overview = entryOf(`${source}/rooms/overview/room.tsx`)
  const preloads = staticImportsOf(outputs, [script, overview]).filter((path) => path !== script)
  const head = [
    `<link rel="icon" href="/assets/${iconName}" type="image/svg+xml">`,
    `<script src="/assets/${basename(entryOf(`${source}/apply-theme.ts`))}"></script>`,
    `<link rel="stylesheet" href="/assets/${basename(entryOf(`${source}/styles/main.css`))}">`,
    ...preloads.map((path) => `<link rel="modulepreload" href="/assets/${basename(path)}">`),
    `<script type="module" src="/assets/${basename(script)}"></script>`,
  ].join('\n    ')
  return readFileSync(`${source}/index.html`, 'utf8').replace('<!-- files of the build -->', head)
}

function staticImportsOf(outputs, entries) {
  const found = new Set()
  const visit = (path) => {
    if (found.has(path)) return
    found.add(path)
    const { imports = [] } = outputs[path] ?? {}
    for (const { kind, path: imported } of imports) if (kind === 'import-statement') visit(imported)
  }
  entries.forEach(visit)
  return [...found]
}

/** The licenses of the packages inside the page: their texts must accompany copies. */
function licenses({ inputs }) {
  const packageOf = (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  const names = [...new Set(Object.keys(inputs).flatMap((path) => packageOf(path) ?? []))].sort()
  const texts = names.map((name) => {
    const folder = `node_modules/${name}`
    const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
    const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path))
    return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`
  })
  return Buffer.from(texts.join('\n\n'))
}

function replaceFiles(folder, files) {
  mkdirSync(folder, { recursive: true })
  const written = [...files].flatMap(([name, bytes]) => {
    const isText = /\.(js|css|svg|html)$/.test(name)
    return isText
      ? [
          [`${name}.br`, brotli(bytes)],
          [`${name}.gz`, gzipSync(bytes, { level: 9 })],
          [name, bytes],
        ]
      : [[name, bytes]]
  })
  for (const [name, bytes] of written) {
    const fresh = join(folder, `.${name}.${process.pid}`)
    writeFileSync(fresh, bytes)
    renameSync(fresh, join(folder, name))
  }
  const names = written.map(([name]) => name)
  for (const name of readdirSync(folder)) {
    if (!names.includes(name)) rmSync(join(folder, name), { force: true })
  }
}

function brotli(bytes) {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
}
