import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOwnership } from './ownership.ts'

const fields = { role: 'app', projectId: 1, environmentId: 7, spec: 'abc' } as const

function place() {
  const dataDir = mkdtempSync(join(tmpdir(), 'strata-ownership-'))
  return { dataDir, open: () => openOwnership(join(dataDir, 'runtime'), dataDir) }
}

test('the next daemon of a data folder reads the labels of the previous one', () => {
  const { open } = place()
  const labels = open().labels('strata-x-7', fields)
  expect(open().read('strata-x-7', labels)).toEqual(fields)
})

test('labels under another name, with another value or of another data folder are not owned', () => {
  const one = place().open()
  const labels = one.labels('strata-x-7', fields)
  expect(one.read('strata-x-8', labels)).toBeUndefined()
  expect(one.read('strata-x-7', { ...labels, 'dev.strata.environment': '8' })).toBeUndefined()
  expect(one.read('strata-x-7', { ...labels, 'dev.strata.seal': '' })).toBeUndefined()
  expect(one.read('strata-x-7', null)).toBeUndefined()
  expect(place().open().read('strata-x-7', labels)).toBeUndefined()
})

test('a copy of a data folder is another instance', () => {
  const { dataDir, open } = place()
  const copy = join(dataDir, 'copy')
  mkdirSync(copy)
  const original = open()
  const other = openOwnership(join(dataDir, 'runtime'), copy)
  expect(other.instance).not.toBe(original.instance)
  expect(other.read('n', original.labels('n', fields))).toBeUndefined()
})
