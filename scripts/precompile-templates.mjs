// Compiles templates/**.hbs to one module of functions, so that strata does not load the Handlebars compiler.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Handlebars from 'handlebars'

const folder = fileURLToPath(new URL('../templates/', import.meta.url))
const target = fileURLToPath(new URL('../src/generator/render/precompiled.js', import.meta.url))

// An unknown name or helper is an error instead of an empty text.
const options = { noEscape: true, strict: true, knownHelpersOnly: true, preventIndent: true }

export function precompileTemplates() {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.hbs'))
    .sort()
  const entries = paths.map((path) => {
    const compiled = Handlebars.precompile(readFileSync(join(folder, path), 'utf8'), options)
    return `${JSON.stringify(path.slice(0, -'.hbs'.length))}: ${compiled},\n`
  })
  const fresh = `${target}.${process.pid}`
  writeFileSync(fresh, `export const precompiled = {\n${entries.join('')}}\n`)
  renameSync(fresh, target)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) precompileTemplates()
