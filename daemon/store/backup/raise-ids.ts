import { join } from 'node:path'
import { type Connection, openConnection } from '../connection.ts'
import { namesIn } from './paths.ts'

/** The highest used id by table name. */
type UsedIds = ReadonlyMap<string, number>

/** ReleaseFolders whose entries are named by an id. */
const folders = [
  { table: 'projects', name: 'volumes' },
  { table: 'projects', name: 'releases' },
  { table: 'environments', name: 'logs' },
  { table: 'trash', name: 'trash' },
] as const

/**
 * Raises the id counters of a restored database past the ids of the database that it replaces and of the folders on
 * disk. Otherwise a new project would get the volume and the logs of a project that the backup does not know.
 * Idempotent. Ignores a replaced database that is missing or cannot be read.
 */
export async function raiseIds(files: {
  readonly dataDir: string
  /** Absolute path of the folder with the replaced volumes. */
  readonly replacedVolumes: string
  readonly restored: string
  readonly replaced: string
}): Promise<void> {
  const onDisk = await idsOnDisk(files)
  const used = [...onDisk, ...idsOfReplaced(files.replaced)]
  const connection = openConnection(files.restored)
  try {
    connection.execute('BEGIN IMMEDIATE')
    for (const [table, id] of used) raiseCounter(connection, table, id)
    connection.execute('COMMIT')
  } finally {
    connection.close()
  }
}

function raiseCounter(connection: Connection, table: string, id: number): void {
  const exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
  if (connection.query(exists, [table]).rows.length === 0) return
  const known = 'SELECT 1 FROM sqlite_sequence WHERE name = ?'
  if (connection.query(known, [table]).rows.length === 0) {
    connection.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, 0)', [table])
  }
  const raise = 'UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?'
  connection.query(raise, [id, table])
}

async function idsOnDisk({
  dataDir,
  replacedVolumes,
}: {
  dataDir: string
  replacedVolumes: string
}): Promise<UsedIds> {
  const highest = new Map<string, number>()
  const places = folders.map(({ table, name }) => ({ table, path: join(dataDir, name) }))
  for (const { table, path } of [...places, { table: 'projects', path: replacedVolumes }]) {
    const names = await namesIn(path)
    const ids = names.filter((entry) => /^[1-9]\d{0,14}$/.test(entry)).map(Number)
    highest.set(
      table,
      ids.reduce((max, id) => Math.max(max, id), highest.get(table) ?? 0),
    )
  }
  return highest
}

function idsOfReplaced(file: string): UsedIds {
  try {
    const connection = openConnection(file, { readOnly: true })
    try {
      const { rows } = connection.query('SELECT name, seq FROM sqlite_sequence')
      return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]))
    } finally {
      connection.close()
    }
  } catch {
    return new Map()
  }
}
