import { type Connection, openConnection } from '../connection.ts'

const table = 'project_users'

/**
 * Removes the system users of projects from a restored database, unless the replaced database gave the same user to the
 * same project. On another host, or after later projects, such a user could own the files of another project. The next
 * start of an app gives its project a free user. Idempotent. Ignores a replaced database that is missing or cannot be
 * read.
 */
export function forgetUsers(files: { readonly restored: string; readonly replaced: string }): void {
  const known = new Set(usersOf(files.replaced))
  const connection = openConnection(files.restored)
  try {
    if (!hasTable(connection)) return
    for (const pair of pairsOf(connection)) {
      if (known.has(pair)) continue
      const [projectId] = pair.split(':')
      connection.query(`DELETE FROM ${table} WHERE project_id = ?`, [Number(projectId)])
    }
  } finally {
    connection.close()
  }
}

function usersOf(file: string): string[] {
  try {
    const connection = openConnection(file, { readOnly: true })
    try {
      return hasTable(connection) ? pairsOf(connection) : []
    } finally {
      connection.close()
    }
  } catch {
    return []
  }
}

/** Returns `<project id>:<user id>` for each project with a user. */
function pairsOf(connection: Connection): string[] {
  const { rows } = connection.query(`SELECT project_id, uid FROM ${table}`)
  return rows.map(({ project_id, uid }) => `${project_id}:${uid}`)
}

/** Returns false for a database of an older schema. */
function hasTable(connection: Connection): boolean {
  const query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
  return connection.query(query, [table]).rows.length > 0
}
