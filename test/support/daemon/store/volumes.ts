import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar'
import type { DaemonState } from './daemon-state.ts'
import { master } from './daemon-state.ts'
import { projectDraft } from './record-drafts.ts'
import { tempFolder } from './temp-store.ts'

/** True if a test can run code of another user. */
export const isRoot = process.getuid?.() === 0

/** A user that owns volumes in tests. */
export const owner = 70_123

/** Creates a project in the database and a volume with files. Returns the volume's path. */
export async function createVolume(
  state: Pick<DaemonState, 'store'>,
  dataDir: string,
  { name = 'shop', files = {} }: { name?: string; files?: Readonly<Record<string, string>> } = {},
): Promise<{ id: number; path: string }> {
  const { id } = await state.store.projects.create(
    projectDraft({ name, remoteKey: name, repoUrl: `https://git.example.com/${name}` }),
  )
  const path = join(dataDir, 'volumes', String(id), 'main-0123456789ab')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFiles(path, files)
  return { id, path }
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** Gives a volume to a user, as the daemon does for the apps of a project. */
export function giveTo(uid: number, path: string): void {
  execFileSync('chown', ['--recursive', '--no-dereference', `${uid}:${uid}`, path])
}

/** Makes a backup with data. */
export async function backUp(state: DaemonState): Promise<Buffer> {
  return buffer((await state.backups.create({ withData: true }, master)).body)
}

export function stage(state: DaemonState, tar: Buffer): Promise<void> {
  return state.backups.stageRestore(Readable.from([tar]), tar.length, master)
}

/** Unpacks a tar into a new folder. */
export async function unpacked(tar: Buffer): Promise<string> {
  const folder = tempFolder()
  await new Promise((resolve, reject) => {
    const reader = extract({ cwd: folder })
    reader.on('error', reject).on('close', resolve).end(tar)
  })
  return folder
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of a manifest.
export async function manifestOf(tar: Buffer): Promise<any> {
  return JSON.parse(readFileSync(join(await unpacked(tar), 'manifest.json'), 'utf8'))
}
