import { type Client, createClient, type InValue } from '@libsql/client'
import type { BlogRows, Post } from './blog-rows.ts'

/**
 * Inserts the rows by SQL into a SQLite file that no process has open. Skips columns that a table lacks. Throws if a
 * table is missing.
 */
export async function seedBlog(file: string, rows: BlogRows): Promise<void> {
  const db = createClient({ url: `file:${file}` })
  try {
    for (const [table, records] of tablesOf(rows)) await insert(db, table, records)
    await db.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

type Row = Readonly<Record<string, InValue>>

/** Returns the rows per table, in an order that satisfies the foreign keys. */
function tablesOf({ users, tags, posts, comments }: BlogRows): readonly [string, readonly Row[]][] {
  return [
    [
      'users',
      users.map(({ id, name, at }) => {
        return { id, name, email: `ada${id}@example.com`, password_hash: 'none', ...stamps(at) }
      }),
    ],
    ['tags', tags.map(({ id, name, slug, at }) => ({ id, name, slug, ...stamps(at) }))],
    ['posts', posts.map(postRow)],
    [
      'comments',
      comments.map(({ id, postId, authorId, content, at }) => {
        return { id, post_id: postId, author_id: authorId, content, ...stamps(at) }
      }),
    ],
    // Prisma names the columns A and B in alphabetical order of the models: A is Post, B is Tag.
    [
      '_posts_tags',
      posts.flatMap(({ id, tagIds }) => tagIds.map((tagId) => ({ A: id, B: tagId }))),
    ],
  ]
}

function postRow({ id, title, content, authorId, published, views, at }: Post): Row {
  return {
    id,
    title,
    content,
    author_id: authorId,
    published: Number(published),
    views,
    // The emitted app searches case-folded copies, which for these ASCII texts is lower case.
    title_search: title.toLowerCase(),
    content_search: content.toLowerCase(),
    ...stamps(at),
  }
}

/** Formats times as Prisma's libsql adapter does. */
function stamps(at: string) {
  const text = at.replace('Z', '+00:00')
  return { created_at: text, updated_at: text }
}

const rowsPerStatement = 250

async function insert(db: Client, table: string, records: readonly Row[]): Promise<void> {
  const { rows: info } = await db.execute(`PRAGMA table_info("${table}")`)
  if (info.length === 0) throw new Error(`table ${table} is missing`)
  const present = new Set(info.map(({ name }) => name))
  const columns = Object.keys(records[0] ?? {}).filter((column) => present.has(column))
  const head = `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES`
  const row = `(${columns.map(() => '?').join(', ')})`
  const statements = Array.from(
    { length: Math.ceil(records.length / rowsPerStatement) },
    (_, index) => {
      const batch = records.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement)
      return {
        sql: `${head} ${batch.map(() => row).join(', ')}`,
        args: batch.flatMap((record) => columns.map((column) => record[column] ?? null)),
      }
    },
  )
  await db.batch(statements, 'write')
}
