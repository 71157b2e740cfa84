// Builds dist/: the command line as one small file, what its commands need as chunks beside it, and the daemon.
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { precompileTemplates } from './precompile-templates.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { version, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const transform = { target: 'node20.19', define: { STRATA_VERSION: JSON.stringify(version) } }

/** Commander runs commands of ours as separate programs only when asked to; loading for it takes 5 ms. */
const commanderWithoutChildProcess = {
  name: 'commander-without-child-process',
  transform: {
    filter: { id: /commander\/lib\/command\.js$/ },
    handler(code) {
      const needed = "const childProcess = require('node:child_process');"
      if (!code.includes(needed)) throw new Error(`commander no longer says ${needed}`)
      return code.replace(needed, 'const childProcess = {};')
    },
  },
}

precompileTemplates()
rmSync('dist', { recursive: true, force: true })
const bundle = await rolldown({
  input: { strata: 'src/cli/main.ts' },
  platform: 'node',
  // Bundling these makes them slower, or is not possible: they are native, or load files of their own.
  external: ['ts-morph', 'oxfmt'],
  transform,
  plugins: [commanderWithoutChildProcess],
})
await bundle.write({
  dir: 'dist',
  // Node starts CommonJS some milliseconds sooner than modules.
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name].cjs',
  minify: true,
})

// A daemon starts once: its packages are loaded from where they are installed. The gateway uses none.
const daemon = await rolldown({
  input: { stratad: 'daemon/main.ts', 'strata-gateway': 'daemon/gateway/main.ts' },
  platform: 'node',
  external: (id) =>
    Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`)),
  transform,
})
await daemon.write({
  dir: 'dist',
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'stratad-[name].cjs',
  sourcemap: true,
})
