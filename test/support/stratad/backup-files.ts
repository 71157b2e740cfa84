import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { create, extract } from 'tar'

const files = ['database.sqlite', 'master.key']

/** Changes a backup's files with `edit` and updates the hashes in the manifest, as an attacker would. */
export async function editBackup(tar: Buffer, edit: (folder: string) => void): Promise<Buffer> {
  return inTemporaryFolder(async (folder) => {
    await new Promise((resolve, reject) => {
      const reader = extract({ cwd: folder })
      reader.on('error', reject).on('close', resolve).end(tar)
    })
    edit(folder)
    const manifest = join(folder, 'manifest.json')
    const hashes = files.map((name) => {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return [name, { sha256, bytes: statSync(join(folder, name)).size }]
    })
    const content = {
      ...JSON.parse(readFileSync(manifest, 'utf8')),
      files: Object.fromEntries(hashes),
    }
    writeFileSync(manifest, JSON.stringify(content))
    return pack(folder, ['manifest.json', ...files])
  })
}

/** Creates a tar with one entry whose path is `name`, even if it is absolute or contains `..`. */
export async function createTar(name: string, text: string): Promise<Buffer> {
  return inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, 'entry'), text)
    const onWriteEntry = (entry: { path: string }) => {
      entry.path = name
    }
    const options = { cwd: folder, preservePaths: true, onWriteEntry }
    return buffer(Readable.from(create(options, ['entry'])))
  })
}

function pack(cwd: string, names: readonly string[]): Promise<Buffer> {
  return buffer(Readable.from(create({ cwd, portable: true }, [...names])))
}

async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-tar-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
