import type { Post, PostDetails, PostDraft, PostFilter } from '../../../src/domain/post.js'
import type { TableOf } from '../memory-tables.js'

/** Describes posts for the in-memory store. */
export const postTable: TableOf<Post, PostDraft & Pick<Post, 'authorId'>, PostFilter, PostDetails> =
  {
    name: 'posts',
    owner: ['authorId'],
    references: [
      {
        key: 'authorId',
        as: 'author',
        label: 'name',
        table: 'users',
        words: 'user',
        cascade: false,
      },
    ],
    many: [{ field: 'tags', path: 'tags', table: 'tags', key: 'slug', filter: 'tag' }],
    children: [{ field: 'comments', table: 'comments', key: 'postId', whole: 'post' }],
    filters: ['authorId', 'published'],
    ranges: ['price', 'day'],
    sorts: ['title', 'authorId'],
    decimals: ['price'],
    search: ['title', 'content'],
  }
