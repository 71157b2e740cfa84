import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createUploads, SaveError } from './uploads.js'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-uploads-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

async function* broken() {
  yield Buffer.from('half of')
  throw new Error('cut off')
}

test('save writes each upload to a file with a unique name', async () => {
  const uploads = createUploads(join(folder, 'made', 'when-needed'))
  const names = [
    await uploads.save(chunks('one ', 'file'), '.png'),
    await uploads.save(chunks(), '.JPG'),
  ]
  expect(readdirSync(uploads.folder).sort()).toEqual(names.toSorted())
  expect(names[0]).toMatch(/^[0-9a-f-]{36}\.png$/)
  expect(readFileSync(join(uploads.folder, String(names[0])), 'utf8')).toBe('one file')
})

test('save leaves no file of an aborted upload', async () => {
  const uploads = createUploads(folder)
  await expect(uploads.save(broken(), '.png')).rejects.toThrow('cut off')
  expect(readdirSync(folder)).toEqual([])
})

test('save throws SaveError if the folder is not writable', async () => {
  const path = join(folder, 'a-file')
  writeFileSync(path, '')
  await expect(createUploads(path).save(chunks('text'), '.png')).rejects.toThrow(SaveError)
})

test('save throws SaveError and ends the source if the disk fails', async () => {
  const uploads = createUploads(folder)
  let isEnded = false
  async function* source() {
    try {
      yield Buffer.from('half of')
      rmSync(folder, { recursive: true })
      yield Buffer.from(' it')
    } finally {
      isEnded = true
    }
  }
  await expect(uploads.save(source(), '.png')).rejects.toThrow(SaveError)
  expect(isEnded).toBe(true)
})

test('sweep deletes partial files of processes that no longer run', async () => {
  const uploads = createUploads(folder)
  const name = await uploads.save(chunks('text'), '.png')
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  for (const pid of [ended, process.pid, process.ppid]) {
    writeFileSync(join(folder, `a.png.${pid}.part`), '')
  }
  await uploads.sweep()
  expect(readdirSync(folder).sort()).toEqual([name, `a.png.${process.ppid}.part`].sort())
})

test('sweep ignores a folder that does not exist', async () => {
  await createUploads(join(folder, 'absent')).sweep()
})

test('remove deletes a file and ignores an absent one', async () => {
  const uploads = createUploads(folder)
  const name = await uploads.save(chunks('text'), '.png')
  await uploads.remove(name)
  await uploads.remove(name)
  expect(readdirSync(folder)).toEqual([])
})
