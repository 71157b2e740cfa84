import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Plan } from '../../../src/generator/plan/plan.ts'
import { applyPlan } from '../../../src/generator/write/apply-plan.ts'
import { nodeDisk } from '../../../src/generator/write/disk.ts'
import { watchedDisk } from '../../support/generator/write/disks.ts'
import { put, samplePlan, textAt } from '../../support/generator/write/sample.ts'
import {
  temporaryFolder,
  temporaryProject,
} from '../../support/generator/write/temporary-folder.ts'
import { hashTree, treeFiles } from '../../support/tree.ts'

test('a plan produces exactly the described tree, without leftovers', () => {
  const root = temporaryProject()
  applyPlan(samplePlan(root))
  expect([...treeFiles(root)]).toEqual([
    ['.env', 'SECRET=1\n'],
    ['.strata/base/routes.ts', 'base 2\n'],
    ['package.json', '{}\n'],
    ['scripts/run.sh', 'echo new\n'],
    ['src/new/deep/post.ts', 'post\n'],
    ['src/routes.ts', 'routes 2\n'],
  ])
  expect(readdirSync(join(root, '.strata'))).toEqual(['base'])
})

test('a delete removes emptied folders and keeps the others', () => {
  const root = temporaryProject()
  mkdirSync(join(root, 'src/empty-before'))
  applyPlan(samplePlan(root))
  expect(readdirSync(join(root, 'src')).sort()).toEqual(['empty-before', 'new', 'routes.ts'])
})

test('a plan of skips does not touch the disk', () => {
  const untouchable = watchedDisk(({ name }) => {
    throw new Error(`${name} was called`)
  })
  const plan: Plan = {
    root: temporaryProject(),
    actions: [{ kind: 'skip', path: 'a', reason: 'same' }],
  }
  expect(() => applyPlan(plan, untouchable)).not.toThrow()
})

test('an edited file keeps its mode under any umask, and a new secret has mode 0600', () => {
  const root = temporaryProject()
  chmodSync(join(root, 'src/routes.ts'), 0o666)
  const umask = process.umask(0o077)
  try {
    applyPlan(samplePlan(root))
  } finally {
    process.umask(umask)
  }
  expect(modeOf(root, 'scripts/run.sh')).toBe(0o755)
  expect(modeOf(root, 'src/routes.ts')).toBe(0o666)
  expect(modeOf(root, '.env')).toBe(0o600)
})

test('a secret is written with mode 0600 from the first byte and its text enters no journal', () => {
  const root = temporaryProject()
  const writes = new Map<string, number | undefined>()
  const journals: string[] = []
  const umask = process.umask(0)
  try {
    applyPlan(
      samplePlan(root),
      watchedDisk(({ name, text = '', options }) => {
        if (name === 'write') writes.set(text, options?.mode)
        if (text.startsWith('{"version"')) journals.push(text)
      }),
    )
    nodeDisk.write(join(root, 'probe'), '', { mode: 0o600 })
  } finally {
    process.umask(umask)
  }
  expect(writes.get('SECRET=1\n')).toBe(0o600)
  expect(modeOf(root, 'probe')).toBe(0o600)
  expect(journals).toHaveLength(1)
  expect(journals[0]).toContain('{"kind":"move","path":".env","staged":"0"}')
})

test('only replaced user files, secrets and the journal are flushed', () => {
  const root = temporaryProject()
  const flushed: string[] = []
  const disk = watchedDisk(({ name, path, text = '', options }) => {
    if (name === 'write' && options?.durable)
      flushed.push(path.endsWith('.json') ? 'journal' : text)
  })
  applyPlan(samplePlan(root), disk)
  expect(flushed).toEqual(['SECRET=1\n', 'echo new\n', 'routes 2\n', 'journal'])
})

test.each<[string, (root: string) => void, string]>([
  [
    'an edited file that changed',
    (root) => put(root, 'src/routes.ts', 'mine\n'),
    'src/routes.ts was edited after strata read it',
  ],
  [
    'an edited file that was deleted',
    (root) => nodeDisk.removeFile(join(root, 'src/routes.ts')),
    'src/routes.ts was deleted after strata read it',
  ],
  [
    'a deleted file that changed',
    (root) => put(root, 'src/old/deep/gone.ts', 'mine\n'),
    'src/old/deep/gone.ts was edited after strata read it',
  ],
  [
    'a created file that appeared',
    (root) => put(root, 'src/new/deep/post.ts', 'mine\n'),
    'src/new/deep/post.ts already exists',
  ],
  [
    'a folder at the path of a created file',
    (root) => mkdirSync(join(root, '.env')),
    '.env already exists',
  ],
  [
    'a file at the path of a folder',
    (root) => put(root, 'src/new', 'mine\n'),
    'src/new is not a folder',
  ],
  ['a symlinked parent', linkedParent, 'src/new is a symlink'],
  ['a symlinked target', linkedTarget, '.env is a symlink'],
  ['a symlinked .strata', linkedHome, '.strata is a symlink'],
  [
    'the journal of another run',
    (root) => put(root, '.strata/journal.json', '{}'),
    'an interrupted run left its work in .strata',
  ],
])('%s is a conflict that changes nothing', (_, interfere, message) => {
  const root = temporaryProject()
  interfere(root)
  const before = hashTree(root)
  expect(() => applyPlan(samplePlan(root))).toThrow(
    expect.objectContaining({ kind: 'conflict', message: expect.stringContaining(message) }),
  )
  expect(hashTree(root)).toBe(before)
})

test('a file that an editor saves during staging is not overwritten', () => {
  const root = temporaryProject()
  const before = hashTree(root, { ignore: ['src/routes.ts'] })
  const disk = watchedDisk(({ name, path }) => {
    if (name === 'write' && path.endsWith('journal.json')) return
    if (name === 'write') put(root, 'src/routes.ts', 'mine\n')
  })
  expect(() => applyPlan(samplePlan(root), disk)).toThrow(/^src\/routes.ts was edited/)
  expect(textAt(root, 'src/routes.ts')).toBe('mine\n')
  expect(hashTree(root, { ignore: ['src/routes.ts'] })).toBe(before)
})

test('the error of a conflict names all changed files', () => {
  const root = temporaryProject()
  put(root, 'src/routes.ts', 'mine\n')
  put(root, 'scripts/run.sh', 'mine\n')
  expect(() => applyPlan(samplePlan(root))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('(and 1 more), so nothing was changed'),
      details: [
        'scripts/run.sh was edited after strata read it',
        'src/routes.ts was edited after strata read it',
      ],
    }),
  )
})

test('invalid UTF-8 on disk does not count as the planned text', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'a.txt'), Buffer.from([0xff]))
  const plan: Plan = {
    root,
    actions: [{ kind: 'edit', path: 'a.txt', before: '\ufffd', after: 'x', reason: 'wired' }],
  }
  expect(() => applyPlan(plan)).toThrow(/^a.txt was edited/)
})

test('a folder without write permission stops the run before any change', () => {
  const root = temporaryProject()
  const before = hashTree(root)
  const disk = { ...nodeDisk, isWritable: (folder: string) => !folder.endsWith('scripts') }
  expect(() => applyPlan(samplePlan(root), disk)).toThrow(
    expect.objectContaining({
      kind: 'failure',
      message: expect.stringMatching(/no permission to write in .*scripts: nothing was changed$/),
    }),
  )
  expect(hashTree(root)).toBe(before)
})

test('applying a plan leaves no .strata in a project without one', () => {
  const root = temporaryFolder()
  applyPlan({ root, actions: [{ kind: 'create', path: 'a/b.txt', after: 'b', reason: 'new' }] })
  expect([...treeFiles(root).keys()]).toEqual(['a/b.txt'])
  expect(existsSync(join(root, '.strata'))).toBe(false)
})

function linkedParent(root: string): void {
  symlinkSync(temporaryFolder(), join(root, 'src/new'))
}

/** A dangling symlink: its target is missing, but strata must not write through it. */
function linkedTarget(root: string): void {
  symlinkSync(join(temporaryFolder(), 'outside'), join(root, '.env'))
}

function linkedHome(root: string): void {
  const outside = temporaryFolder()
  put(outside, 'base/routes.ts', 'base 1\n')
  nodeDisk.removeFile(join(root, '.strata/base/routes.ts'))
  nodeDisk.removeFolder(join(root, '.strata/base'))
  nodeDisk.removeFolder(join(root, '.strata'))
  symlinkSync(outside, join(root, '.strata'))
}

function modeOf(root: string, path: string): number {
  return statSync(join(root, path)).mode & 0o7777
}
