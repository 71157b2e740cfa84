import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { create, extract } from 'tar'

const files = ['database.sqlite', 'master.key']

/** A backup with its files changed by `edit`, and vouched for by its manifest as one who means harm would. */
export async function edited(tar: Buffer, edit: (folder: string) => void): Promise<Buffer> {
  return inFolder(async (folder) => {
    await new Promise((resolve, reject) => {
      const reader = extract({ cwd: folder })
      reader.on('error', reject).on('close', resolve).end(tar)
    })
    edit(folder)
    const manifest = join(folder, 'manifest.json')
    const vouched = files.map((name) => {
      const sha256 = createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')
      return [name, { sha256, bytes: statSync(join(folder, name)).size }]
    })
    const said = {
      ...JSON.parse(readFileSync(manifest, 'utf8')),
      files: Object.fromEntries(vouched),
    }
    writeFileSync(manifest, JSON.stringify(said))
    return pack(folder, ['manifest.json', ...files])
  })
}

/** A tar whose one entry has the path `name`, however it climbs. */
export async function tarOf(name: string, text: string): Promise<Buffer> {
  return inFolder(async (folder) => {
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

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'stratad-tar-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
