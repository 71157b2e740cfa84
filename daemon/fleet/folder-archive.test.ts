import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Header } from 'tar'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { archiveOf, unpackInto } from './folder-archive.ts'

let folder: string
let from: string
let to: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-archive-'))
  from = join(folder, 'from')
  to = join(folder, 'to')
  for (const each of [from, to]) mkdirSync(each)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const never = new AbortController().signal

function entry(path: string, fields: { type: 'File' | 'SymbolicLink'; linkpath?: string }): Buffer {
  const block = Buffer.alloc(512)
  new Header({ path, mode: 0o644, size: 0, uid: 0, gid: 0, ...fields }).encode(block)
  return block
}

test('a copy has the files, modes and links of the original', async () => {
  mkdirSync(join(from, 'notes'))
  writeFileSync(join(from, 'notes/one'), 'one', { mode: 0o600 })
  writeFileSync(join(from, 'run'), '#!', { mode: 0o755 })
  linkSync(join(from, 'run'), join(from, 'same'))
  symlinkSync('/data/notes', join(from, 'absolute'))
  symlinkSync('../elsewhere', join(from, 'outside'))
  chmodSync(join(from, 'notes'), 0o750)
  await unpackInto(to, archiveOf(from), never)
  expect(readdirSync(to).sort()).toEqual(['absolute', 'notes', 'outside', 'run', 'same'])
  expect(readFileSync(join(to, 'notes/one'), 'utf8')).toBe('one')
  expect(statSync(join(to, 'notes/one')).mode & 0o777).toBe(0o600)
  expect(statSync(join(to, 'notes')).mode & 0o777).toBe(0o750)
  expect(statSync(join(to, 'run')).ino).toBe(statSync(join(to, 'same')).ino)
  expect(readlinkSync(join(to, 'absolute'))).toBe('/data/notes')
  expect(readlinkSync(join(to, 'outside'))).toBe('../elsewhere')
})

test.each([
  ['a file behind a link', 'File'],
  ['a link behind a link', 'SymbolicLink'],
] as const)('an archive with %s writes nothing outside of its folder', async (_, type) => {
  const outside = join(folder, 'outside')
  mkdirSync(outside)
  const blocks = [
    entry('data/way', { type: 'SymbolicLink', linkpath: outside }),
    entry('data/way/in', { type, ...(type === 'SymbolicLink' && { linkpath: '/' }) }),
    Buffer.alloc(1024),
  ]
  await unpackInto(to, Readable.from(blocks), never).catch(() => {})
  expect(readdirSync(outside)).toEqual([])
})

test('an archive whose names lead out of its folder writes nothing there', async () => {
  const blocks = [entry('data/../../out', { type: 'File' }), Buffer.alloc(1024)]
  await unpackInto(to, Readable.from(blocks), never).catch(() => {})
  expect(readdirSync(folder).sort()).toEqual(['from', 'to'])
})
