import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeyUseCases } from '../../daemon/app/manage/rotate-key.ts'
import { master, pathsOf, startState } from '../support/daemon/store/daemon-state.ts'
import { bundleProgram, type Program } from '../support/daemon/store/killed-child.ts'
import { tempFolder } from '../support/daemon/store/temp-store.ts'
import { backUp, createVolume, stage } from '../support/daemon/store/volumes.ts'

const steps = [
  'validated',
  'journal-written',
  'folder-made',
  'moved-out:database-wal',
  'moved-out:database-shm',
  'moved-out:database-journal',
  'moved-out:database',
  'moved-out:key.next',
  'moved-out:key',
  'moved-in:key',
  'moved-in:database',
  'ids-raised',
  'staged-removed',
  'journal-closed',
]

let program: Program
beforeAll(async () => {
  const entry = new URL('../support/daemon/store/applying-child.ts', import.meta.url)
  program = await bundleProgram(fileURLToPath(entry))
})
afterAll(() => program.remove())

test.each(steps)('a restore killed at "%s" is complete after the next start', async (step) => {
  const { dataDir, databaseFile, keyFile } = await staged()
  const { reached, isKilled } = await program.run([dataDir, databaseFile, keyFile], step)
  expect(isKilled).toBe(true)
  expect(reached).toEqual(steps.slice(0, steps.indexOf(step) + 1))

  const state = await startState(dataDir)
  expect(await state.who()).toBe('old')
  const rows = await state.store.audit.list({ kind: 'restore_applied', limit: 9 })
  expect(rows).toHaveLength(1)
  const folder = readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? ''
  const replaced = await startState(join(dataDir, folder))
  expect(await replaced.who()).toBe('new')
  await replaced.stop()
  await state.stop()
  expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
})

test('a restore killed at each step in turn is complete after the last start', async () => {
  const { dataDir, databaseFile, keyFile } = await staged()
  for (const step of steps) await program.run([dataDir, databaseFile, keyFile], step)
  const state = await startState(dataDir)
  expect(await state.who()).toBe('old')
  expect(await state.store.audit.list({ kind: 'restore_applied', limit: 9 })).toHaveLength(1)
  await state.stop()
})

test.each(['validated', 'reason-written'])(
  'an invalid restore killed at "%s" is rejected at the next start, with one audit entry',
  async (step) => {
    const { dataDir, databaseFile, keyFile } = await staged()
    writeFileSync(join(dataDir, 'restore/staged/database.sqlite'), 'junk')
    const { isKilled } = await program.run([dataDir, databaseFile, keyFile], step)
    expect(isKilled).toBe(true)
    const state = await startState(dataDir)
    expect(await state.who()).toBe('new')
    expect(await state.store.audit.list({ kind: 'restore_rejected', limit: 9 })).toHaveLength(1)
    await state.stop()
  },
)

const dataSteps = [
  ...steps.slice(0, steps.indexOf('folder-made') + 1),
  'moved-out:volumes',
  'moved-in:volumes',
  'volumes-moved',
  ...steps.slice(steps.indexOf('folder-made') + 1),
]

test.each(dataSteps)(
  'a restore with data killed twice at "%s" is complete after the next start',
  async (step) => {
    const { dataDir, databaseFile, keyFile, volume } = await stagedWithData()
    const args = [dataDir, databaseFile, keyFile]
    const { reached, isKilled } = await program.run(args, step)
    expect(isKilled).toBe(true)
    expect(reached).toEqual(dataSteps.slice(0, dataSteps.indexOf(step) + 1))
    await program.run(args, step)

    const state = await startState(dataDir)
    expect(await state.who()).toBe('old')
    expect(readFileSync(join(volume, 'notes.txt'), 'utf8')).toBe('old')
    const folder = readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? ''
    const replaced = join(dataDir, folder, volume.slice(dataDir.length), 'notes.txt')
    expect(readFileSync(replaced, 'utf8')).toBe('new')
    await state.stop()
    expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
  },
)

test('a restore with data killed at each step in turn is complete after the last start', async () => {
  const { dataDir, databaseFile, keyFile, volume } = await stagedWithData()
  for (const step of dataSteps) await program.run([dataDir, databaseFile, keyFile], step)
  const state = await startState(dataDir)
  expect(await state.who()).toBe('old')
  expect(readFileSync(join(volume, 'notes.txt'), 'utf8')).toBe('old')
  await state.stop()
})

/** Returns a data folder with a staged backup of the state `old` with data, and the state `new`. */
async function stagedWithData() {
  const dataDir = tempFolder()
  const { databaseFile, keyFile } = pathsOf(dataDir)
  const state = await startState(dataDir)
  await state.setWho('old')
  const { path: volume } = await createVolume(state, dataDir, { files: { 'notes.txt': 'old' } })
  const tar = await backUp(state)
  await state.setWho('new')
  writeFileSync(join(volume, 'notes.txt'), 'new')
  await stage(state, tar)
  return { dataDir, databaseFile, keyFile, volume }
}

/** On most Linux machines, /dev/shm is another file system than the temporary folder. */
const otherDisk = '/dev/shm'
const hasOtherDisk = existsSync(otherDisk) && statSync(otherDisk).dev !== statSync(tmpdir()).dev

/** A database on another disk is copied file by file, and each copy can be interrupted. */
test
  .skipIf(!hasOtherDisk)
  .each([
    ...steps,
    'copied:database.sqlite-wal',
    'copied:database.sqlite-shm',
    'copied:database.sqlite',
    'copied:master.key',
  ])(
  'a restore to another disk killed twice at "%s" is complete after the next start',
  async (step) => {
    const elsewhere = mkdtempSync(join(otherDisk, 'strata-restore-'))
    try {
      const paths = pathsOf(elsewhere)
      const { dataDir } = await staged(paths)
      const args = [dataDir, paths.databaseFile, paths.keyFile]
      expect((await program.run(args, step)).isKilled).toBe(true)
      await program.run(args, step)
      const state = await startState(dataDir, paths)
      expect(await state.who()).toBe('old')
      await state.stop()
      const folder = readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? ''
      const replaced = await startState(join(dataDir, folder))
      expect(await replaced.who()).toBe('new')
      await replaced.stop()
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  },
)

/**
 * Creates the data folder of a killed daemon, including the write-ahead log, with a staged backup of the state `old`.
 */
async function staged(paths?: { databaseFile: string; keyFile: string }) {
  const dataDir = tempFolder()
  const { databaseFile, keyFile } = paths ?? pathsOf(dataDir)
  const state = await startState(dataDir, { databaseFile, keyFile })
  await state.setWho('old')
  const tar = await buffer((await state.backups.create({ withData: false }, master)).body)
  const clock = { now: Date.now }
  await createKeyUseCases({ database: state.store, vault: state.vault, clock }).rotate(master)
  await state.setWho('new')
  await state.backups.stageRestore(Readable.from(tar), 0, master)
  expect(existsSync(`${databaseFile}-wal`)).toBe(true)
  // The connections stay open, so that the write-ahead log stays as after a kill.
  return { dataDir, databaseFile, keyFile }
}
