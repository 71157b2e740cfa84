import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contextOf } from './repository.ts'

let root: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'strata-repository-')))
  mkdirSync(join(root, 'apps/web/src'), { recursive: true })
  writeFileSync(join(root, 'apps/web/package.json'), '{}')
  writeFileSync(join(root, 'package.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('the app of a folder is the nearest folder with a package.json, within the repository', () => {
  expect(contextOf(join(root, 'apps/web/src'), root)).toBe('apps/web')
  expect(contextOf(join(root, 'apps/web'), root)).toBe('apps/web')
  expect(contextOf(join(root, 'apps'), root)).toBe('')
  expect(contextOf(root, root)).toBe('')
})
