import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { create, extract, list } from 'tar'
import { describe, expect, test } from 'vitest'
import {
  type DaemonState,
  master,
  pathsOf,
  startState,
} from '../../../test/support/daemon/store/daemon-state.ts'
import { auditDraft } from '../../../test/support/daemon/store/record-drafts.ts'
import { tempFolder } from '../../../test/support/daemon/store/temp-store.ts'
import { redacted } from '../../domain/redacted.ts'
import { schemaVersion } from '../../store/migrations.ts'
import { createKeyUseCases } from './rotate-key.ts'

describe('a backup', () => {
  test('is a tar of database, key and manifest and leaves no temporary files', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    await state.setWho('old')
    const { fileName, body } = await state.backups.create({ withData: false }, master)
    expect(fileName).toMatch(/^strata-backup-[\dTZ-]+\.tar$/)
    const tar = await buffer(body)
    expect(await namesOf(tar)).toEqual(['manifest.json', 'database.sqlite', 'master.key'])
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
    const folder = await unpacked(tar)
    expect(readFileSync(join(folder, 'master.key'))).toEqual(readFileSync(pathsOf(dataDir).keyFile))
    expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({
      format: 1,
      schema_version: schemaVersion,
      key_id: state.vault.keyId(),
      key: 'file',
    })
    const kinds = (await state.store.audit.list({ limit: 9 })).map(({ kind }) => kind)
    expect(kinds).toEqual(['backup_created'])
    await state.stop()
  })

  test('leaves no temporary files if its reader stops early', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const { body } = await state.backups.create({ withData: false }, master)
    const stream = body as Readable
    await new Promise((resolve) => stream.once('readable', resolve))
    stream.read(1)
    stream.destroy()
    await expect.poll(() => readdirSync(join(dataDir, 'backups')), { timeout: 20_000 }).toEqual([])
    for (let i = 0; i < 3; i += 1)
      await buffer((await state.backups.create({ withData: false }, master)).body)
    await state.stop()
  })

  test('is a consistent snapshot during concurrent writes', async () => {
    const state = await startState(tempFolder())
    let isOver = false
    let pairs = 0
    const write = async () => {
      while (!isOver) {
        pairs += 1
        await state.store.transaction(async (tx) => {
          await tx.audit.write(auditDraft({ detail: 'x'.repeat(3_000), branch: 'one' }))
          await tx.audit.write(auditDraft({ detail: 'x'.repeat(3_000), branch: 'two' }))
        })
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    const writing = write()
    for (let i = 0; i < 3; i += 1) {
      const folder = await unpacked(
        await buffer((await state.backups.create({ withData: false }, master)).body),
      )
      const raw = new DatabaseSync(join(folder, 'database.sqlite'), { readOnly: true })
      const count = (branch: string) =>
        raw.prepare('SELECT count(*) AS n FROM audit WHERE branch = ?').get(branch)?.n
      expect(count('one')).toBe(count('two'))
      expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
      raw.close()
    }
    isOver = true
    await writing
    expect(pairs).toBeGreaterThan(3)
    await state.stop()
  })

  test('contains the key of its database, even during a key rotation', async () => {
    const state = await startState(tempFolder())
    await state.setWho('me')
    const clock = { now: Date.now }
    const keys = createKeyUseCases({ database: state.store, vault: state.vault, clock })
    const bodies = await Promise.all([
      state.backups.create({ withData: false }, master),
      keys.rotate(master),
      state.backups.create({ withData: false }, master),
    ])
    for (const made of bodies) {
      if (!('body' in made)) continue
      await state.backups.stageRestore(Readable.from(await buffer(made.body)), 0, master)
    }
    await state.stop()
  })

  test('omits a key that the operator owns', async () => {
    const masterKey = redacted('b'.repeat(64))
    const state = await startState(tempFolder(), { masterKey })
    const tar = await buffer((await state.backups.create({ withData: false }, master)).body)
    expect(await namesOf(tar)).toEqual(['manifest.json', 'database.sqlite'])
    await state.stop()
  })
})

describe('a restore', () => {
  test('is applied at the next start, keeps the replaced files, and is audited', async () => {
    const dataDir = tempFolder()
    const { tar } = await backupOf('old', dataDir)
    const keyBefore = readFileSync(pathsOf(dataDir).keyFile, 'utf8')
    let state = await startState(dataDir)
    const clock = { now: Date.now }
    await createKeyUseCases({ database: state.store, vault: state.vault, clock }).rotate(master)
    await state.setWho('new')
    await state.backups.stageRestore(Readable.from(tar), 0, master)
    expect(await state.who()).toBe('new')
    // A killed daemon leaves the write-ahead log beside the database.
    const keyReplaced = readFileSync(pathsOf(dataDir).keyFile, 'utf8')

    state = await startState(dataDir)
    expect(await state.who()).toBe('old')
    expect(readFileSync(pathsOf(dataDir).keyFile, 'utf8')).toBe(keyBefore)
    expect(state.restored).toMatchObject({ kind: 'applied' })
    const replaced = state.restored.kind === 'applied' ? state.restored.replaced : ''
    expect(readFileSync(join(dataDir, replaced, 'master.key'), 'utf8')).toBe(keyReplaced)
    expect(existsSync(join(dataDir, replaced, 'database.sqlite-wal'))).toBe(true)
    expect(await kindsOf(state)).toContain('restore_applied')
    await state.stop()

    state = await startState(dataDir)
    expect(state.restored).toEqual({ kind: 'none' })
    expect((await kindsOf(state)).filter((kind) => kind === 'restore_applied')).toHaveLength(1)
    expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
    await state.stop()
    const old = await startState(join(dataDir, replaced))
    expect(await old.who()).toBe('new')
    await old.stop()
  })

  test('works on another machine', async () => {
    const { tar } = await backupOf('moved')
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    await state.backups.stageRestore(Readable.from(tar), 0, master)
    await state.stop()
    state = await startState(dataDir)
    expect(await state.who()).toBe('moved')
    await state.stop()
  })

  test('replaces a restore that was staged before', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    for (const who of ['first', 'second']) {
      await state.backups.stageRestore(Readable.from((await backupOf(who)).tar), 0, master)
    }
    await state.stop()
    state = await startState(dataDir)
    expect(await state.who()).toBe('second')
    await state.stop()
  })

  test("of a database with an operator's key requires that key", async () => {
    const masterKey = redacted('b'.repeat(64))
    const { tar } = await backupOf('mine', tempFolder(), masterKey)
    const other = await startState(tempFolder())
    const staged = other.backups.stageRestore(Readable.from(tar), 0, master)
    await expect(staged).rejects.toThrow(/key of the backup is missing: set SERVICE_MASTER_KEY/)
    await other.stop()
    const wrong = await startState(tempFolder(), { masterKey: redacted('c'.repeat(64)) })
    const refused = wrong.backups.stageRestore(Readable.from(tar), 0, master)
    await expect(refused).rejects.toMatchObject({ kind: 'unprocessable' })
    await wrong.stop()
    const dataDir = tempFolder()
    let right = await startState(dataDir, { masterKey })
    await right.backups.stageRestore(Readable.from(tar), 0, master)
    await right.stop()
    right = await startState(dataDir, { masterKey })
    expect(await right.who()).toBe('mine')
    await right.stop()
  })

  test('damaged after staging is rejected, and the daemon starts with its old data', async () => {
    const dataDir = tempFolder()
    let state = await startState(dataDir)
    await state.setWho('what I had')
    await state.backups.stageRestore(Readable.from((await backupOf('old')).tar), 0, master)
    await state.stop()
    const file = join(dataDir, 'restore/staged/database.sqlite')
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(9_000) ^ 1, 9_000)
    writeFileSync(file, bytes)

    state = await startState(dataDir)
    expect(state.restored).toMatchObject({ kind: 'rejected' })
    expect(await state.who()).toBe('what I had')
    const [row] = await state.store.audit.list({ kind: 'restore_rejected', limit: 9 })
    expect(row?.detail).toMatch(/changed or truncated; the backup is kept in restore\/rejected-/)
    await state.stop()
    state = await startState(dataDir)
    expect(state.restored).toEqual({ kind: 'none' })
    expect(await state.store.audit.list({ kind: 'restore_rejected', limit: 9 })).toHaveLength(1)
    await state.stop()
  })
})

describe('staging a restore refuses', () => {
  const edits: [string, RegExp, (folder: string) => string[] | undefined][] = [
    ['no manifest', /has no manifest/, () => ['database.sqlite', 'master.key']],
    ['no database', /must contain exactly/, () => ['manifest.json', 'master.key']],
    ['no key', /must contain exactly/, () => ['manifest.json', 'database.sqlite']],
    [
      'a file that does not belong to a backup',
      /does not belong to a backup/,
      (folder) => {
        writeFileSync(join(folder, 'extra'), 'x')
        return ['manifest.json', 'extra', 'database.sqlite', 'master.key']
      },
    ],
    [
      'a link',
      /not a regular file/,
      (folder) => {
        mkdirSync(join(folder, 'links'))
        symlinkSync('/etc/passwd', join(folder, 'links/master.key'))
        return ['-C', join(folder, 'links'), 'master.key']
      },
    ],
    [
      'a folder in place of a file',
      /not a regular file|does not belong to a backup/,
      (folder) => {
        mkdirSync(join(folder, 'folders/master.key'), { recursive: true })
        return ['-C', join(folder, 'folders'), 'master.key']
      },
    ],
    [
      'one file twice',
      /twice/,
      () => ['manifest.json', 'manifest.json', 'database.sqlite', 'master.key'],
    ],
    [
      'a manifest that is not JSON',
      /not JSON/,
      (folder) => void writeFileSync(join(folder, 'manifest.json'), '{'),
    ],
    [
      'a manifest of a newer format',
      /format 3/,
      (folder) => void editManifest(folder, (manifest) => ({ ...manifest, format: 3 })),
    ],
    [
      'a manifest with an unknown key',
      /malformed/,
      (folder) => void editManifest(folder, (manifest) => ({ ...manifest, path: '../..' })),
    ],
    [
      'a manifest of megabytes',
      /too large/,
      (folder) => void writeFileSync(join(folder, 'manifest.json'), ' '.repeat(9 * 2 ** 20)),
    ],
    [
      'a database that was changed',
      /changed or truncated/,
      (folder) => void writeFileSync(join(folder, 'database.sqlite'), 'junk'),
    ],
    [
      'another key',
      /key of the backup is missing/,
      (folder) => {
        writeFileSync(join(folder, 'master.key'), `${'d'.repeat(64)}\n`)
        sign(folder)
      },
    ],
    [
      'random bytes as a database with a matching checksum',
      /not a database|damaged/,
      (folder) => {
        writeFileSync(join(folder, 'database.sqlite'), 'junk'.repeat(4_000))
        sign(folder)
      },
    ],
    [
      'a damaged database page with a matching checksum',
      /damaged/,
      (folder) => {
        const file = join(folder, 'database.sqlite')
        const bytes = readFileSync(file)
        // Page 4 is the root of a table, behind the schema.
        bytes.fill(0xff, 3 * 4096, 3 * 4096 + 64)
        writeFileSync(file, bytes)
        sign(folder)
      },
    ],
    [
      'an added trigger in the database',
      /does not have the tables/,
      (folder) => {
        const sql = 'CREATE TRIGGER evil AFTER INSERT ON audit BEGIN DELETE FROM tokens; END'
        alter(folder, sql)
      },
    ],
    [
      'a database of a newer stratad',
      /schema 900 .* up to \d+/,
      (folder) => alter(folder, "INSERT INTO migrations VALUES (900, 'later', 0)"),
    ],
    [
      'a database of another program',
      /another program/,
      (folder) => alter(folder, 'PRAGMA application_id = 1'),
    ],
    [
      'a secret that can not be decrypted',
      /cannot be decrypted/,
      (folder) => alter(folder, "UPDATE secrets SET value = replace(value, '.', '.A')"),
    ],
    [
      'a key id that differs from its manifest',
      /does not match its manifest/,
      (folder) => alter(folder, "UPDATE meta SET value = '0123456789abcdef'"),
    ],
  ]
  test.each(edits)('a backup with %s', async (_, message, edit) => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    const folder = await unpacked((await backupOf('old')).tar)
    const names = edit(folder) ?? ['manifest.json', 'database.sqlite', 'master.key']
    await refused(state, dataDir, await packed(folder, names), message)
    await state.stop()
  })

  test.each<[string, RegExp, (tar: Buffer) => Buffer]>([
    ['nothing', /no manifest|not a complete tar/, () => Buffer.alloc(0)],
    ['junk', /not a complete tar/, () => Buffer.from('this is not a tar'.repeat(1_000))],
    ['a tar cut short', /not a complete tar/, (tar) => tar.subarray(0, tar.length / 2)],
    ['a compressed tar', /compressed/, (tar) => gzipSync(tar)],
  ])('an upload of %s', async (_, message, edit) => {
    const dataDir = tempFolder()
    const state = await startState(dataDir)
    await refused(state, dataDir, edit((await backupOf('old')).tar), message)
    await state.stop()
  })

  test('an upload over the size limit or of a client that disconnects', async () => {
    const dataDir = tempFolder()
    const state = await startState(dataDir, { restoreMaxBytes: 10_000 })
    const { tar } = await backupOf('old')
    const large = state.backups.stageRestore(Readable.from([tar]), 0, master)
    await expect(large).rejects.toMatchObject({ kind: 'too-large' })
    async function* hangUp() {
      yield tar.subarray(0, 5_000)
      throw new Error('hung up')
    }
    const broken = state.backups.stageRestore(Readable.from(hangUp()), 0, master)
    await expect(broken).rejects.toThrow('hung up')
    expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
    await state.stop()
  })
})

async function refused(
  state: DaemonState,
  dataDir: string,
  tar: Buffer,
  message: RegExp,
): Promise<void> {
  await expect(state.backups.stageRestore(Readable.from([tar]), 0, master)).rejects.toThrow(message)
  expect(readdirSync(join(dataDir, 'restore'))).toEqual([])
  expect(await kindsOf(state)).toEqual([])
}

async function backupOf(who: string, dataDir = tempFolder(), masterKey = redacted('')) {
  const key = masterKey.reveal() === '' ? null : masterKey
  const state = await startState(dataDir, { masterKey: key })
  await state.setWho(who)
  const tar = await buffer((await state.backups.create({ withData: false }, master)).body)
  await state.stop()
  return { tar }
}

async function kindsOf({ store }: DaemonState): Promise<string[]> {
  return (await store.audit.list({ limit: 50 })).map(({ kind }) => kind)
}

async function namesOf(tar: Buffer): Promise<string[]> {
  const names: string[] = []
  const reader = list({ onReadEntry: ({ path }) => names.push(path) })
  await new Promise((resolve, reject) => {
    reader.on('error', reject).on('end', resolve).end(tar)
  })
  return names
}

async function unpacked(tar: Buffer): Promise<string> {
  const folder = tempFolder()
  await new Promise((resolve, reject) => {
    const reader = extract({ cwd: folder })
    reader.on('error', reject).on('close', resolve).end(tar)
  })
  return folder
}

/** Packs `names`, optionally preceded by `-C` and another folder. */
async function packed(folder: string, names: readonly string[]): Promise<Buffer> {
  const [cwd, rest] = names[0] === '-C' ? [names[1] ?? '', names.slice(2)] : [folder, names]
  return buffer(Readable.from(create({ cwd, portable: true }, [...rest])))
}

function alter(folder: string, sql: string): undefined {
  const file = join(folder, 'database.sqlite')
  chmodSync(file, 0o600)
  const raw = new DatabaseSync(file)
  raw.exec(sql)
  raw.close()
  sign(folder)
}

/** Updates the checksums of the manifest, as an attacker would. */
function sign(folder: string): undefined {
  editManifest(folder, (manifest) => ({
    ...manifest,
    files: Object.fromEntries(
      ['database.sqlite', 'master.key'].map((name) => {
        const bytes = readFileSync(join(folder, name))
        return [name, { sha256: sha256(bytes), bytes: bytes.length }]
      }),
    ),
  }))
}

function editManifest(
  folder: string,
  edit: (manifest: Record<string, unknown>) => Record<string, unknown>,
): undefined {
  const path = join(folder, 'manifest.json')
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
