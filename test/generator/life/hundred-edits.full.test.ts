import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { addFeature, done, temporaryFolder } from '../../support/generator/folders.ts'
import { treeFiles } from '../../support/tree.ts'
import { changes, entities, featureEdits, projectEdits } from './hand-edits.ts'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const edits = [...entities.flatMap(featureEdits), ...projectEdits]
const notOwn = { ignore: ['.strata', 'node_modules', 'src/generated'] }

const features = [
  'Author name:string',
  'Category label:string',
  'Book title:string author_id:uint:fk category_id:uint:fk:optional user_id:uint:fk --owner user_id',
  'Chapter heading:string book_id:uint:fk:cascade',
  'Tag word:string',
  'Review verdict:string book_id:uint:fk',
]

/** A project with users and six features, in a folder with a space. */
async function library(): Promise<string> {
  const folder = temporaryFolder()
  await done(folder, 'init', 'library', '--auth', '--no-install', '--no-git')
  const root = join(folder, 'our libräry')
  renameSync(join(folder, 'library'), root)
  for (const line of features) await addFeature(root, line)
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
  return root
}

function editByHand(root: string): void {
  for (const { path, place, text } of edits) {
    const file = join(root, path)
    const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const after = before.replace(place, text)
    expect(after, `${path} ${place}`).not.toBe(before)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, after)
  }
}

/** Returns the marks of edits that are no longer in the project. Quotes and the entity's new name do not count. */
function lostMarks(root: string): readonly string[] {
  const plain = (text: string) => text.replaceAll('"', "'")
  const all = plain([...treeFiles(root, notOwn).values()].join('\n'))
  const renamed = (mark: string) => mark.replace('Category', 'Genre').replace('category', 'genre')
  return edits
    .map(({ mark }) => plain(mark))
    .filter((mark) => !all.includes(mark) && !all.includes(renamed(mark)))
}

/** Generates Prisma's client and checks the types. Returns the errors. */
function typeErrors(root: string): string {
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'package.json') }
  const run = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [join(repository, 'node_modules', ...args.slice(0, 1)), ...args.slice(1)],
      {
        cwd: root,
        env,
        encoding: 'utf8',
      },
    )
  const generated = run('prisma/build/index.js', 'generate')
  if (generated.status !== 0) return generated.stderr
  return run('typescript/bin/tsc', '--noEmit').stdout
}

test('a hundred edits by hand survive twenty changes of a project, which compiles', async () => {
  const root = await library()
  editByHand(root)
  expect(edits.length).toBeGreaterThanOrEqual(100)
  expect({ lost: lostMarks(root), types: typeErrors(root) }).toEqual({ lost: [], types: '' })
  for (const [index, change] of changes.entries()) {
    await done(root, ...change.split(' '))
    expect(lostMarks(root), change).toEqual([])
    if (index % 5 === 4) expect(typeErrors(root), change).toBe('')
  }
})
