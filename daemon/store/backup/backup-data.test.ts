import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { master, startState } from '../../../test/support/daemon/store/daemon-state.ts'
import { tempFolder } from '../../../test/support/daemon/store/temp-store.ts'
import { volumeReader } from '../../../test/support/daemon/store/volume-reader.ts'
import {
  backUp,
  createVolume,
  giveTo,
  isRoot,
  manifestOf,
  owner,
  stage,
  unpacked,
  writeFiles,
} from '../../../test/support/daemon/store/volumes.ts'
import { readVolume } from './read-volume.ts'

const files = { 'uploads/a.txt': 'a', 'uploads/empty': '', 'notes.txt': 'old' }

describe('a backup with data', () => {
  test('restored on a new data folder brings back files, modes, times, folders and links', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir, { files })
    mkdirSync(join(path, 'folder'))
    symlinkSync('../uploads/a.txt', join(path, 'folder/link'))
    linkSync(join(path, 'notes.txt'), join(path, 'same.txt'))
    execFileSync('chmod', ['640', join(path, 'notes.txt')])
    const long = `${'d'.repeat(90)}/${'ü'.repeat(90)}`
    writeFiles(path, { [long]: 'long' })
    const tar = await backUp(state)
    await state.stop()

    const { restored, other } = await restoreElsewhere(tar)
    const volume = join(restored, 'volumes', String(id), 'main-0123456789ab')
    expect(readFileSync(join(volume, 'uploads/a.txt'), 'utf8')).toBe('a')
    expect(readFileSync(join(volume, 'uploads/empty'), 'utf8')).toBe('')
    expect(readFileSync(join(volume, long), 'utf8')).toBe('long')
    expect(readlinkSync(join(volume, 'folder/link'))).toBe('../uploads/a.txt')
    expect(statSync(join(volume, 'same.txt')).ino).toBe(statSync(join(volume, 'notes.txt')).ino)
    expect(statSync(join(volume, 'notes.txt')).mode & 0o777).toBe(0o640)
    const mtime = (folder: string) => statSync(join(folder, 'notes.txt')).mtimeMs
    expect(Math.abs(mtime(volume) - mtime(path))).toBeLessThan(2)
    expect(statSync(volume).mode & 0o777).toBe(0o700)
    await other.stop()
  })

  test('lists its content in the manifest and leaves no temporary files', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id } = await createVolume(state, dataDir, { files })
    const tar = await backUp(state)
    expect(await manifestOf(tar)).toMatchObject({
      format: 2,
      data: {
        volumes: [
          { project_id: id, volume: 'main-0123456789ab', files: 3, databases: 0, bytes: 4 },
        ],
        skipped: [],
        skipped_count: 0,
      },
    })
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
    await state.stop()
  })

  test('contains what a write-ahead log holds, and not the log', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir)
    const app = new DatabaseSync(join(path, 'app.db'))
    app.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)')
    expect(existsSync(join(path, 'app.db-wal'))).toBe(true)
    const folder = join(
      await unpacked(await backUp(state)),
      'data',
      String(id),
      'main-0123456789ab',
    )
    expect(readdirSync(folder)).toEqual(['app.db'])
    expect(countRows(join(folder, 'app.db'))).toBe(2)
    app.close()
    await state.stop()
  })

  test('contains a database whose writer was killed in a transaction as of the last commit', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir)
    const program = `
      const { DatabaseSync } = require(${JSON.stringify(library)})
      const database = new DatabaseSync('app.db')
      database.exec('PRAGMA cache_size = 1; CREATE TABLE t (x); INSERT INTO t VALUES (1); BEGIN')
      for (let i = 0; i < 500; i += 1) database.exec('INSERT INTO t VALUES (randomblob(4000))')
      process.kill(process.pid, 'SIGKILL')`
    await once(spawn(process.execPath, ['-e', program], { cwd: path }), 'exit')
    expect(existsSync(join(path, 'app.db-journal'))).toBe(true)
    const folder = join(
      await unpacked(await backUp(state)),
      'data',
      String(id),
      'main-0123456789ab',
    )
    expect(readdirSync(folder)).toEqual(['app.db'])
    expect(countRows(join(folder, 'app.db'))).toBe(1)
    await state.stop()
  })

  test.skipIf(!isRoot).each(['wal', 'delete'])(
    'is consistent under a writer of another user at full speed (journal mode %s; needs root)',
    async (mode) => {
      const dataDir = tempFolder()
      const state = await startState(dataDir)
      const { id, path } = await createVolume(state, dataDir)
      execFileSync('chmod', ['755', dataDir, join(dataDir, 'volumes'), join(path, '..')])
      giveTo(owner, path)
      const writer = startWriter(path, mode)
      await writer.hasBegun
      const folders: string[] = []
      for (let n = 0; n < 3; n += 1) folders.push(await unpacked(await backUp(state)))
      const { pairs, error } = await writer.stop()
      expect(error).toBe('')
      expect(pairs).toBeGreaterThan(20)
      for (const folder of folders) {
        const file = join(folder, 'data', String(id), 'main-0123456789ab/app.db')
        expect(checkIntegrity(file)).toBe('ok')
        expect(countRows(file) % 2).toBe(0)
        expect(countRows(file)).toBeGreaterThan(0)
      }
      // A file of root would stop the application's next write.
      const owners = readdirSync(path).map((name) => lstatSync(join(path, name)).uid)
      expect(new Set(owners)).toEqual(new Set([owner]))
      await state.stop()
    },
    60_000,
  )

  test.skipIf(!isRoot)(
    'creates no file of root beside a database that no program uses (needs root)',
    async () => {
      const dataDir = tempFolder()
      const state = await startState(dataDir)
      const { path } = await createVolume(state, dataDir)
      const app = new DatabaseSync(join(path, 'app.db'))
      app.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
      app.close()
      giveTo(owner, path)
      await backUp(state)
      const owners = readdirSync(path).map((name) => lstatSync(join(path, name)).uid)
      expect(new Set(owners)).toEqual(new Set([owner]))
      await state.stop()
    },
  )
})

describe('a backup of a hostile volume', () => {
  test('stores links that stay inside and skips all else, with the reasons', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir, { files })
    const other = await createVolume(state, dataDir, { name: 'other', files: { secret: 'canary' } })
    symlinkSync('/etc/shadow', join(path, 'shadow'))
    symlinkSync(`../../${other.id}/main-0123456789ab`, join(path, 'neighbor'))
    symlinkSync('uploads/../../x', join(path, 'sneaky'))
    symlinkSync('.', join(path, 'loop'))
    execFileSync('mkfifo', [join(path, 'pipe'), join(path, 'pipe.db')])
    if (isRoot) execFileSync('mknod', [join(path, 'device'), 'c', '1', '5'])
    writeFileSync(join(path, 'sparse'), '')
    truncateSync(join(path, 'sparse'), 2 ** 40)
    const tar = await backUp(state)
    expect(tar.length).toBeLessThan(2 ** 20)
    const { data } = await manifestOf(tar)
    const reasons = Object.fromEntries(
      data.skipped.map((entry: { path: string; reason: string }) => [
        entry.path.replace(`${id}/main-0123456789ab/`, ''),
        entry.reason,
      ]),
    )
    expect(reasons).toMatchObject({
      shadow: 'it is a link out of the data folder',
      neighbor: 'it is a link out of the data folder',
      sneaky: 'it is a link out of the data folder',
      pipe: 'it is a pipe',
      sparse: expect.stringContaining('it is sparse'),
      ...(isRoot && { device: 'it is a device' }),
    })
    const folder = join(await unpacked(tar), 'data', String(id), 'main-0123456789ab')
    expect(readdirSync(folder).sort()).toEqual(['loop', 'notes.txt', 'uploads'])
    await restoreElsewhere(tar).then(({ other: state }) => state.stop())
    await state.stop()
  })

  test('skips what is too deep, and reads the rest', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir, { files })
    const deep = `
      const { mkdirSync } = require('node:fs')
      for (let i = 0; i < 2000; i += 1) { mkdirSync('d'); process.chdir('d') }`
    execFileSync(process.execPath, ['-e', deep], { cwd: path })
    const { data } = await manifestOf(await backUp(state))
    expect(data.volumes).toMatchObject([{ project_id: id, files: 3 }])
    expect(data.skipped).toMatchObject([{ reason: 'it is deeper than 100 folders' }])
    execFileSync('rm', ['-rf', path])
    await state.stop()
  })

  test('executes nothing of a database, and copies a damaged one as a file', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir)
    const damaged = `SQLite format 3\0${'x'.repeat(5_000)}`
    writeFileSync(join(path, 'damaged.db'), damaged)
    writeFileSync(join(path, 'damaged.db-wal'), 'log')
    const app = new DatabaseSync(join(path, 'hostile.db'))
    app.exec(`CREATE TABLE t (x);
      CREATE VIEW v AS SELECT load_extension('/tmp/evil');
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT writefile('/tmp/evil', 'x'); END`)
    app.close()
    const tar = await backUp(state)
    const folder = join(await unpacked(tar), 'data', String(id), 'main-0123456789ab')
    expect(readFileSync(join(folder, 'damaged.db'), 'latin1')).toBe(damaged)
    expect(readFileSync(join(folder, 'damaged.db-wal'), 'utf8')).toBe('log')
    expect(checkIntegrity(join(folder, 'hostile.db'))).toBe('ok')
    expect((await manifestOf(tar)).data.notes).toMatchObject([
      { reason: expect.stringContaining("SQLite can't read it") },
    ])
    await state.stop()
  })

  test('never fails: a volume that can not be read is noted, and the others are there', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir, { reader: [process.execPath, '-e', halfAReader] })
    await createVolume(state, dataDir, { files })
    const tar = await backUp(state)
    const { data } = await manifestOf(tar)
    expect(data.skipped).toMatchObject([
      { path: '1/main-0123456789ab/cut', reason: 'it could not be read to its end' },
      { path: '1/main-0123456789ab', reason: expect.stringContaining('the reader was killed') },
    ])
    const { restored, other } = await restoreElsewhere(tar)
    const volume = join(restored, 'volumes/1/main-0123456789ab')
    expect(readdirSync(volume)).toEqual(['whole'])
    await other.stop()
    await state.stop()
  })
})

/** Sends a whole file and a part of the second one. */
const halfAReader = `
const frame = (value) => {
  const text = Buffer.from(JSON.stringify(value))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(text.length)
  process.stdout.write(Buffer.concat([head, text]))
}
const file = (path, bytes) =>
  frame({ kind: 'file', path, mode: 0o644, mtime: 0, bytes, isDatabase: false })
frame({ kind: 'ready', uid: null })
file('whole', 3)
process.stdout.write('abc')
frame({ kind: 'end', padded: 0 })
file('cut', 100000)
process.stdout.write('abc')
console.error('the reader was killed')`

describe('the reader of a volume', () => {
  const place = { volumes: '/nowhere', project: '1', volume: 'main', snapshots: '/nowhere' }
  const ready = 'process.stdout.write(Buffer.from(\'\\0\\0\\0\\x1b{"kind":"ready","uid":null}\'));'

  test.each([
    ['that stops', 'setInterval(() => {}, 1000)', { silenceMs: 300, totalMs: 60_000 }],
    [
      'that sends a byte now and then',
      "process.stdout.write(Buffer.from([0, 0, 200, 0])); setInterval(() => process.stdout.write(' '), 50)",
      { silenceMs: 10_000, totalMs: 1_500 },
    ],
  ])('ends a child %s', async (_, behavior, patience) => {
    const program = [process.execPath, '-e', ready + behavior]
    const read = async () => {
      for await (const _ of readVolume(program, place, patience));
    }
    await expect(read()).rejects.toThrow('its reader was stopped, or too slow')
  })

  test.skipIf(!isRoot)('works as the owner without a mount namespace (needs root)', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir)
    const app = new DatabaseSync(join(path, 'app.db'))
    app.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
    execFileSync('chmod', ['711', dataDir, join(dataDir, 'volumes'), join(path, '..')])
    giveTo(owner, path)
    const snapshots = join(dataDir, 'snapshots')
    mkdirSync(snapshots, { mode: 0o700 })
    const leftovers = () => readdirSync(tmpdir()).filter((name) => /^strata-snapshot-/.test(name))
    const before = leftovers()
    const [command = '', ...args] = volumeReader
    const place = ['0', join(dataDir, 'volumes'), String(id), 'main-0123456789ab', snapshots]
    const sent = execFileSync(command, [...args, ...place]).toString('latin1')
    expect(sent).toContain(`{"kind":"ready","uid":${owner}}`)
    expect(sent).toContain('"isDatabase":true')
    expect(sent).toContain('{"kind":"done"}')
    expect(leftovers()).toEqual(before)
    app.close()
    await state.stop()
  })

  test('refuses a path that leads out of the volume', async () => {
    const bad = `const text = Buffer.from('{"kind":"folder","path":"../x","mode":0}')
      const head = Buffer.alloc(4)
      head.writeUInt32BE(text.length)
      process.stdout.write(Buffer.concat([head, text]))`
    const read = async () => {
      for await (const _ of readVolume([process.execPath, '-e', ready + bad], place));
    }
    await expect(read()).rejects.toThrow(/path/)
  })
})

/** A disk of 96 MiB, which only root can create. */
function smallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-small-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder])
    rmdirSync(folder)
  })
  return folder
}

describe.skipIf(!isRoot)('on a disk that is too small (needs root)', () => {
  test('a backup skips a database whose copy does not fit, and contains the rest', async () => {
    const dataDir = smallDisk()
    const state = await startState(dataDir)
    const { path } = await createVolume(state, dataDir, { files })
    const app = new DatabaseSync(join(path, 'app.db'))
    app.exec('CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(50000000))')
    app.close()
    const { data } = await manifestOf(await backUp(state))
    expect(data.skipped).toMatchObject([
      {
        reason: expect.stringMatching(
          /^a copy of the database needs \d+ MiB more free disk space$/,
        ),
      },
    ])
    expect(data.volumes).toMatchObject([{ files: 3 }])
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
    await state.stop()
  })

  test('a backup is refused with a sentence if the copy of the daemon database does not fit', async () => {
    const dataDir = smallDisk()
    const state = await startState(dataDir)
    writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(85 * 2 ** 20))
    const made = state.backups.create({ withData: true }, master)
    await expect(made).rejects.toThrow(
      /is full: a snapshot of the database needs .* MiB are free: free some space/,
    )
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
    await state.stop()
  })

  test('a restore is refused before and during its upload, and leaves nothing', async () => {
    const sourceDir = tempFolder()
    const source = await startState(sourceDir)
    const { path } = await createVolume(source, sourceDir)
    writeFileSync(join(path, 'large'), Buffer.alloc(100 * 2 ** 20, 'x'))
    const tar = await backUp(source)
    const dataDir = smallDisk()
    const state = await startState(dataDir)
    await expect(stage(state, tar)).rejects.toThrow(
      /is full: the backup needs \d+ MiB, .* free some space/,
    )
    const unannounced = state.backups.stageRestore(Readable.from(pieces(tar)), 0, master)
    await expect(unannounced).rejects.toThrow(/the disk of the data folder is too small/)
    expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
    await source.stop()
    await state.stop()
  })
})

function* pieces(tar: Buffer): Generator<Buffer> {
  for (let at = 0; at < tar.length; at += 2 ** 20) yield tar.subarray(at, at + 2 ** 20)
}

describe('a restore with data', () => {
  test('replaces the volumes of its projects, keeps the old ones, and leaves other projects alone', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    const shop = await createVolume(state, dataDir, { files })
    const bare = await createVolume(state, dataDir, { name: 'bare' })
    execFileSync('rm', ['-r', join(bare.path, '..')])
    const tar = await backUp(state)
    writeFileSync(join(shop.path, 'notes.txt'), 'new')
    writeFiles(bare.path, { late: 'x' })
    const later = await createVolume(state, dataDir, { name: 'later', files: { kept: 'x' } })
    await stage(state, tar)
    await state.stop()

    state = await startState(dataDir)
    expect(readFileSync(join(shop.path, 'notes.txt'), 'utf8')).toBe('old')
    expect(existsSync(bare.path)).toBe(false)
    expect(readdirSync(later.path)).toEqual(['kept'])
    const replaced = join(dataDir, state.restored.kind === 'applied' ? state.restored.replaced : '')
    const old = (id: number, name: string) =>
      readFileSync(join(replaced, 'volumes', String(id), 'main-0123456789ab', name), 'utf8')
    expect(old(shop.id, 'notes.txt')).toBe('new')
    expect(old(bare.id, 'late')).toBe('x')
    const next = await createVolume(state, dataDir, { name: 'next' })
    expect(next.id).toBeGreaterThan(later.id)
    await state.stop()
  })

  test('keeps the system user of a project only if the replaced database gave it the same', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    await state.store.projectUsers.set(1, 70_000)
    await state.store.projectUsers.set(2, 70_001)
    const tar = await backUp(state)
    await state.store.projectUsers.set(2, 70_002)
    await stage(state, tar)
    await state.stop()
    state = await startState(dataDir)
    expect(await state.store.projectUsers.list()).toEqual([{ projectId: 1, uid: 70_000 }])
    await state.stop()
    const { other } = await restoreElsewhere(tar)
    expect(await other.store.projectUsers.list()).toEqual([])
    await other.stop()
  })

  test('stops the apps before it moves volumes', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { path } = await createVolume(state, dataDir, { files })
    await stage(state, await backUp(state))
    writeFileSync(join(path, 'notes.txt'), 'new')
    await state.stop()
    let seen = ''
    const stopApps = async () => {
      seen = readFileSync(join(path, 'notes.txt'), 'utf8')
    }
    await (await startState(dataDir, { stopApps })).stop()
    expect(seen).toBe('new')
  })

  test('without data leaves volumes alone', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    const { path } = await createVolume(state, dataDir, { files })
    const { body } = await state.backups.create({ withData: false }, master)
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk as Buffer)
    writeFileSync(join(path, 'notes.txt'), 'new')
    await stage(state, Buffer.concat(chunks))
    await state.stop()
    state = await startState(dataDir)
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('new')
    await state.stop()
  })

  test('is rejected at the start if a staged file was changed', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    const { id, path } = await createVolume(state, dataDir, { files })
    await stage(state, await backUp(state))
    writeFileSync(join(path, 'notes.txt'), 'new')
    const staged = join(dataDir, 'restore/staged/data', String(id), 'main-0123456789ab')
    writeFileSync(join(staged, 'notes.txt'), 'bad')
    await state.stop()
    state = await startState(dataDir)
    expect(state.restored).toMatchObject({ kind: 'rejected' })
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('new')
    await state.stop()
  })
})

const library = createRequire(import.meta.url).resolve('@photostructure/sqlite')

/** Restores a backup on a new data folder. */
async function restoreElsewhere(tar: Buffer) {
  const restored = tempFolder()
  let other = await startState(restored)
  await stage(other, tar)
  await other.stop()
  other = await startState(restored)
  expect(other.restored).toMatchObject({ kind: 'applied' })
  return { restored, other }
}

/** Writes pairs of rows as the owner of a volume, and removes old pairs, without a pause until it is stopped. */
function startWriter(folder: string, mode: string) {
  const program = `
    const { DatabaseSync } = require(${JSON.stringify(library)})
    const database = new DatabaseSync('app.db', { timeout: 10000 })
    database.exec('PRAGMA journal_mode = ${mode}; PRAGMA synchronous = OFF; CREATE TABLE t (x)')
    let isOver = false
    let pairs = 0
    process.on('message', () => { isOver = true })
    const insert = database.prepare('INSERT INTO t VALUES (randomblob(2000))')
    const trim = database.prepare('DELETE FROM t WHERE rowid <= ?')
    function write() {
      for (let n = 0; n < 20 && !isOver; n += 1) {
        database.exec('BEGIN IMMEDIATE')
        insert.run()
        insert.run()
        database.exec('COMMIT')
        pairs += 1
        trim.run(2 * (pairs - 500))
      }
      if (pairs === 20) process.send('begun')
      if (!isOver) return setImmediate(write)
      process.send({ pairs })
      process.disconnect()
    }
    write()`
  const child = spawn(process.execPath, ['-e', program], {
    ...{ cwd: folder, uid: owner, gid: owner },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let error = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    error += text
  })
  return {
    hasBegun: once(child, 'message'),
    async stop() {
      const answered = once(child, 'message')
      child.send('stop')
      const [{ pairs }] = (await answered) as [{ pairs: number }]
      return { pairs, error }
    },
  }
}

function countRows(file: string): number {
  return Number(ask(file, 'SELECT count(*) AS value FROM t'))
}

function checkIntegrity(file: string): unknown {
  return ask(file, 'SELECT integrity_check AS value FROM pragma_integrity_check')
}

function ask(file: string, query: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(query).get()?.value
  } finally {
    database.close()
  }
}
