import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { master, pathsOf, startState } from '../../../test/support/daemon/store/daemon-state.ts'
import { bundleProgram, type Program } from '../../../test/support/daemon/store/killed-child.ts'
import {
  environmentDraft,
  nodeDraft,
  projectDraft,
} from '../../../test/support/daemon/store/record-drafts.ts'
import { tempFolder } from '../../../test/support/daemon/store/temp-store.ts'
import { createKeyUseCases } from '../../app/manage/rotate-key.ts'

let program: Program
beforeAll(async () => {
  const entry = new URL('../../../test/support/daemon/store/applying-child.ts', import.meta.url)
  program = await bundleProgram(fileURLToPath(entry))
})
afterAll(() => program.remove())

/** test/daemon/restore-kills.full.test.ts kills the restore at every failpoint. */
test('the next start completes a restore that was killed between the old and the new database', async () => {
  const { dataDir, databaseFile, keyFile } = await staged()
  const { isKilled } = await program.run([dataDir, databaseFile, keyFile], 'moved-out:database')
  expect(isKilled).toBe(true)
  expect(existsSync(databaseFile)).toBe(false)
  const state = await startState(dataDir)
  expect(await state.who()).toBe('old')
  await state.stop()
})

test('a start removes the partial files of a killed upload and a killed backup', async () => {
  const { dataDir } = await staged()
  const before = readFileSync(join(dataDir, 'restore/staged/manifest.json'), 'utf8')
  for (const name of ['restore/abc.partial', 'backups/def.partial']) {
    writeFileSync(join(dataDir, name), 'x')
  }
  const state = await startState(dataDir, {
    failpoint(name) {
      if (name === 'validated') throw new Error('stop here')
    },
  }).catch((error: Error) => error.message)
  expect(state).toBe('stop here')
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
  expect(readdirSync(join(dataDir, 'restore'))).toEqual(['staged'])
  expect(readFileSync(join(dataDir, 'restore/staged/manifest.json'), 'utf8')).toBe(before)
})

test('a restore never frees an id that the replaced database or a folder has used', async () => {
  const dataDir = tempFolder()
  const state = await startState(dataDir)
  const register = ({ store }: typeof state, name: string) =>
    store.projects.create(
      projectDraft({ repoUrl: `https://git.example.com/acme/${name}`, remoteKey: name }),
    )
  await register(state, 'one')
  const tar = await buffer((await state.backups.create({ withData: false }, master)).body)
  const later = await register(state, 'two')
  await state.store.projects.remove(later.id)
  await state.backups.stageRestore(Readable.from(tar), 0, master)
  await state.stop()
  const second = await startState(dataDir)
  expect((await register(second, 'three')).id).toBe(later.id + 1)

  await second.backups.stageRestore(Readable.from(tar), 0, master)
  await second.stop()
  writeFileSync(pathsOf(dataDir).databaseFile, 'not a database')
  mkdirSync(join(dataDir, 'volumes/40'), { recursive: true })
  mkdirSync(join(dataDir, 'releases/41'), { recursive: true })
  mkdirSync(join(dataDir, 'logs/70'), { recursive: true })
  const third = await startState(dataDir)
  const project = await register(third, 'four')
  expect(project.id).toBe(42)
  const node = await third.store.nodes.put(nodeDraft())
  const draft = environmentDraft({ projectId: project.id, nodeId: node.id })
  expect((await third.store.environments.create(draft)).id).toBe(71)
  await third.stop()
})

/** Creates the data folder of a killed daemon, with its write-ahead log and a staged restore of the state `old`. */
async function staged() {
  const dataDir = tempFolder()
  const state = await startState(dataDir)
  await state.setWho('old')
  const tar = await buffer((await state.backups.create({ withData: false }, master)).body)
  const clock = { now: Date.now }
  await createKeyUseCases({ database: state.store, vault: state.vault, clock }).rotate(master)
  await state.setWho('new')
  await state.backups.stageRestore(Readable.from(tar), 0, master)
  expect(existsSync(`${pathsOf(dataDir).databaseFile}-wal`)).toBe(true)
  // Keeps the connections open, so that the write-ahead log stays as after a kill.
  return { dataDir, ...pathsOf(dataDir) }
}
