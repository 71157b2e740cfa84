// Generates the example apps from their recipes. With --check, changes nothing and fails if an example differs from the
// output of its recipe.
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { diff3Merge } from 'node-diff3'
import { recipes } from '../examples/recipes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const strata = join(root, 'bin', 'strata.js')

/** Random or generated at build and run time; ignored by git. */
const ignored = new Set(['.env', 'node_modules', 'dist', 'data', 'generated'])

const isCheck = process.argv.includes('--check')
const differences = []
for (const recipe of recipes) {
  const emitted = emit(recipe)
  const example = join(root, 'examples', recipe.name)
  if (isCheck)
    differences.push(
      ...differing(emitted, example, recipe).map((path) => `examples/${recipe.name}/${path}`),
    )
  else replace(emitted, example, recipe)
  rmSync(join(emitted, '..'), { recursive: true })
}
if (differences.length > 0) {
  process.stderr.write(
    `the examples differ from their recipes; run npm run examples:\n${differences.join('\n')}\n`,
  )
  process.exit(1)
}
process.stdout.write(
  isCheck ? 'the examples match their recipes\n' : 'the examples are generated\n',
)

function emit({ name, options = [], commands }) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-example-'))
  run(['init', name, ...options, '--no-install', '--no-git'], folder)
  for (const command of commands) run(command, join(folder, name))
  return join(folder, name)
}

function run(args, cwd) {
  const { status, stderr } = spawnSync(process.execPath, [strata, ...args], {
    cwd,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`strata ${args.join(' ')} exited with ${status}: ${stderr}`)
}

function replace(emitted, example, { own = [] }) {
  const merged = own.map((path) => [path, merge(path, emitted, example)])
  for (const path of existsSync(example) ? filesIn(example) : []) rmSync(join(example, path))
  cpSync(emitted, example, { recursive: true })
  rmSync(join(example, '.env'), { force: true })
  for (const [path, text] of merged) writeFileSync(join(example, path), text)
}

/** Merges manual edits of an example's file with the newly generated text. Throws if both changed the same lines. */
function merge(path, emitted, example) {
  const [disk, base, next] = [
    read(join(example, path)),
    read(join(example, '.strata', 'base', path)),
    read(join(emitted, path)),
  ]
  if (disk === undefined) throw new Error(`${example}/${path} is missing`)
  if (base === undefined || next === undefined) return disk
  const lines = (text) => text.split('\n')
  const regions = diff3Merge(lines(disk), lines(base), lines(next), { excludeFalseConflicts: true })
  if (regions.some(({ conflict }) => conflict)) {
    throw new Error(
      `${path} of ${example}: manual edits and the generated text changed the same lines`,
    )
  }
  return regions.flatMap(({ ok }) => ok).join('\n')
}

/** Lists the files that differ. Hand-written files (`own`) may differ, but their base texts may not. */
function differing(emitted, example, { own = [] }) {
  const all = new Set([...filesIn(emitted), ...filesIn(example)])
  const paths = [...all].filter((path) => !own.includes(path))
  return [...paths].filter((path) => read(join(emitted, path)) !== read(join(example, path))).sort()
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Lists the files of an example as relative paths, without ignored ones. */
function filesIn(folder, path = '') {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    if (ignored.has(entry.name)) return []
    const below = join(path, entry.name)
    return entry.isDirectory() ? filesIn(folder, below) : [below]
  })
}
