import type { Schema } from './table.js'

/** The tables of `prisma/schema.prisma`, as the queries use them. */
export const schema: Schema = {
  users: {
    words: 'user',
    columns: {
      name: { name: 'name', type: 'string' },
      email: { name: 'email', type: 'email', unique: true },
      passwordHash: { name: 'password_hash', type: 'string' },
      role: { name: 'role', type: 'enum' },
      tokenVersion: { name: 'token_version', type: 'uint' },
      keptToken: { name: 'kept_token', type: 'string', optional: true },
      revokedTokens: { name: 'revoked_tokens', type: 'text' },
    },
  },
  tags: {
    words: 'tag',
    columns: {
      name: { name: 'name', type: 'string' },
      slug: { name: 'slug', type: 'string', unique: true },
    },
  },
  posts: {
    words: 'post',
    columns: {
      title: { name: 'title', type: 'string', search: true },
      content: { name: 'content', type: 'text', search: true },
      price: { name: 'price', type: 'decimal', scale: 2, filter: true },
      day: { name: 'day', type: 'date', optional: true, filter: true },
      notes: { name: 'notes', type: 'json', optional: true },
      authorId: { name: 'author_id', type: 'uint', filter: true },
      published: { name: 'published', type: 'bool', filter: true },
    },
    owner: ['authorId'],
    references: [{ key: 'authorId', to: 'users', as: 'author', label: 'name' }],
    many: [
      {
        field: 'tags',
        path: 'tags',
        to: 'tags',
        key: 'slug',
        filter: 'tag',
        links: '_posts_tags',
        holder: 'A',
        target: 'B',
      },
    ],
    children: [{ field: 'comments', total: 'commentsTotal', of: 'comments', key: 'postId' }],
  },
  comments: {
    words: 'comment',
    columns: {
      postId: { name: 'post_id', type: 'uint', filter: true },
      authorId: { name: 'author_id', type: 'uint', filter: true },
      content: { name: 'content', type: 'text' },
    },
    owner: ['authorId'],
    references: [
      { key: 'postId', to: 'posts', as: 'post', label: 'title' },
      { key: 'authorId', to: 'users', as: 'author', label: 'name' },
    ],
  },
}
