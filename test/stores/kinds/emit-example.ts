import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Recipe, recipes } from '../../../examples/recipes.mjs'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { storeOf } from '../../../src/generator/stores/stores.ts'
import type { Program } from '../../support/apps/launcher.ts'
import { built, initApp, npm, packages, runStrata } from '../emitted-app.ts'

const examples = fileURLToPath(new URL('../../../examples', import.meta.url))

/** Hand-written files that replace those of the examples for one kind: `own/mongodb/src/repositories/…`. */
const twins = fileURLToPath(new URL('../own', import.meta.url))

/**
 * Emits an example for a store kind into a folder, adds its hand-written files and builds it. Throws if a
 * hand-written file depends on another kind and `own/<kind>` has no version of it. `more` holds options of `strata init`.
 */
export async function emitExample(
  folder: string,
  kind: StoreKind,
  name: 'user-app' | 'blog-app',
  more: readonly string[] = [],
): Promise<Program> {
  const { options = [], commands, own = [] } = recipeOf(name)
  mkdirSync(folder, { recursive: true })
  const root = join(folder, name)
  await runStrata(folder, [
    ...['init', name, '--database', kind, '--no-install', '--no-git'],
    ...options,
    ...more,
  ])
  for (const command of commands) await runStrata(root, command)
  for (const path of own) {
    const { from, to } = ownFile(kind, name, path)
    cpSync(from, join(root, to))
  }
  install(root)
  await npm(root, ['run', 'build'])
  return { folder: root, argv: built }
}

/** Creates a project without features. Returns its root. */
export async function emitEmpty(folder: string, kind: StoreKind): Promise<string> {
  const root = await initApp(folder, kind)
  install(root)
  return root
}

function install(root: string): void {
  // The checks test missing settings, and `.env` would provide them.
  rmSync(join(root, '.env'), { force: true })
  symlinkSync(packages, join(root, 'node_modules'))
}

/** Returns where a hand-written file is stored, and its path in the application. */
function ownFile(kind: StoreKind, name: string, path: string) {
  const to = path.replace('.repository.prisma.ts', `.repository.${storeOf(kind).adapter}.ts`)
  const twin = join(twins, kind, to)
  if (existsSync(twin)) return { from: twin, to }
  if (to !== path)
    throw new Error(`${path} has no version for ${kind}: expected test/stores/own/${kind}/${to}`)
  return { from: join(examples, name, path), to }
}

function recipeOf(name: string): Recipe {
  const recipe = recipes.find((candidate) => candidate.name === name)
  if (!recipe) throw new Error(`no recipe makes ${name}`)
  return recipe
}
