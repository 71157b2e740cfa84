/** The rows of the reference blog, in memory. */
export interface Tables {
  readonly users: Table<UserRow>
  readonly posts: Table<PostRow>
  readonly comments: Table<CommentRow>
  readonly tags: Table<TagRow>
}

export interface Row {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
}

export interface UserRow extends Row {
  readonly name: string
  readonly email: string
  readonly password_hash: string
  readonly token_version: number
  /** Ids of tokens: one that survived a change of the password, and those that logged out. */
  readonly kept_token: string
  readonly ended_tokens: readonly string[]
}

export interface PostRow extends Row {
  readonly title: string
  readonly content: string
  readonly published: boolean
  readonly views: number
  readonly author_id: number
  readonly tag_ids: readonly number[]
}

export interface CommentRow extends Row {
  readonly post_id: number
  readonly author_id: number
  readonly content: string
}

export interface TagRow extends Row {
  readonly name: string
  readonly slug: string
  readonly made_by: number
}

export type Fresh<R extends Row> = Omit<R, keyof Row>

export interface Table<R extends Row> {
  readonly find: (id: number) => R | undefined
  /** Oldest first. */
  readonly all: () => readonly R[]
  readonly insert: (fields: Fresh<R>) => R
  /** Sets `updated_at`, unless `touch` is false. */
  readonly change: (id: number, fields: Partial<Fresh<R>>, touch?: boolean) => R | undefined
  readonly remove: (id: number) => boolean
}

interface Kept<R extends Row> {
  readonly rows: readonly R[]
  readonly lastId: number
}

/** The content of the file of all rows. */
export interface Saved {
  readonly users: Kept<UserRow>
  readonly posts: Kept<PostRow>
  readonly comments: Kept<CommentRow>
  readonly tags: Kept<TagRow>
}

/** Calls `saved` with all rows after each write, and `assertThere` before each use. */
export function createTables(
  start?: Saved,
  saved: (all: Saved) => void = () => {},
  assertThere: () => void = () => {},
): Tables {
  const changed = (): void =>
    saved({
      users: users.kept(),
      posts: posts.kept(),
      comments: comments.kept(),
      tags: tags.kept(),
    })
  const users = createTable<UserRow>(start?.users, changed, assertThere)
  const posts = createTable<PostRow>(start?.posts, changed, assertThere)
  const comments = createTable<CommentRow>(start?.comments, changed, assertThere)
  const tags = createTable<TagRow>(start?.tags, changed, assertThere)
  return { users, posts, comments, tags }
}

function createTable<R extends Row>(
  start: Kept<R> | undefined,
  changed: () => void,
  assertThere: () => void,
): Table<R> & { readonly kept: () => Kept<R> } {
  const byId = new Map(start?.rows.map((row) => [row.id, row]))
  let lastId = start?.lastId ?? 0
  const store = (row: R): R => {
    byId.set(row.id, row)
    changed()
    return row
  }
  return {
    kept: () => ({ rows: [...byId.values()], lastId }),
    find: (id) => {
      assertThere()
      return byId.get(id)
    },
    all: () => {
      assertThere()
      return [...byId.values()]
    },
    insert: (fields) => {
      assertThere()
      lastId += 1
      const at = new Date().toISOString()
      // The fields and the stamps make up the row.
      return store({ ...fields, id: lastId, created_at: at, updated_at: at } as unknown as R)
    },
    change: (id, fields, touch = true) => {
      const row = byId.get(id)
      if (row === undefined) return undefined
      const at = touch ? new Date().toISOString() : row.updated_at
      return store({ ...row, ...fields, updated_at: at })
    },
    remove: (id) => {
      const isThere = byId.delete(id)
      changed()
      return isThere
    },
  }
}
