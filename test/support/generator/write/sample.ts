import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Action, Plan } from '../../../../src/generator/plan/plan.ts'

/** Writes a small project with fixed bytes and modes. Returns its root. */
export function sampleProject(root: string): string {
  for (const [path, text] of Object.entries(oldTexts)) put(root, path, text)
  chmodSync(join(root, 'scripts/run.sh'), 0o755)
  return root
}

/** A plan with every kind of action: nested creates, a secret, edits, and a delete that empties folders. */
export function samplePlan(root: string): Plan {
  return {
    root,
    actions: [
      { kind: 'create', path: '.env', after: 'SECRET=1\n', reason: 'new', secret: true },
      edit('.strata/base/routes.ts', 'base 2\n'),
      { kind: 'skip', path: 'package.json', reason: 'the same' },
      edit('scripts/run.sh', 'echo new\n'),
      { kind: 'create', path: 'src/new/deep/post.ts', after: 'post\n', reason: 'new' },
      {
        kind: 'delete',
        path: 'src/old/deep/gone.ts',
        before: 'gone\n',
        reason: 'not wanted any more',
      },
      edit('src/routes.ts', 'routes 2\n'),
    ],
  }
}

const oldTexts = {
  '.strata/base/routes.ts': 'base 1\n',
  'package.json': '{}\n',
  'scripts/run.sh': 'echo old\n',
  'src/old/deep/gone.ts': 'gone\n',
  'src/routes.ts': 'routes 1\n',
}

function edit(path: keyof typeof oldTexts, after: string): Action {
  return { kind: 'edit', path, before: oldTexts[path], after, reason: 'wired' }
}

/** A plan of a new project. */
export function newProjectPlan(root: string): Plan {
  return {
    root,
    actions: [
      { kind: 'create', path: '.env', after: 'SECRET=1\n', reason: 'new', secret: true },
      { kind: 'create', path: 'package.json', after: '{}\n', reason: 'new' },
      { kind: 'create', path: 'src/domain/post.ts', after: 'post\n', reason: 'new' },
      { kind: 'create', path: 'src/main.ts', after: 'main\n', reason: 'new' },
    ],
  }
}

export function put(root: string, path: string, text: string): void {
  const full = join(root, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
}

export function textAt(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
