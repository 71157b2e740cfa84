// Builds dist/: the command line as one bundle, its rarely used parts as chunks beside it.
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { precompileTemplates } from './precompile-templates.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

precompileTemplates()
rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: { strata: 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  // What a command does not need stays in a chunk that it does not load.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Bundling these makes them slower, or is not possible: they are native, or load files of their own.
  external: ['ts-morph', 'oxfmt'],
  define: { STRATA_VERSION: JSON.stringify(version) },
  // CommonJS packages in an ESM bundle ask for it.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  minify: true,
  legalComments: 'linked',
  logLevel: 'warning',
})
