import type { Schema } from './table.js'

/** The tables of `prisma/schema.prisma`, as the queries use them. */
export const schema: Schema = {
  users: {
    words: 'user',
    columns: {
      name: { name: 'name' },
      email: { name: 'email', unique: true },
      passwordHash: { name: 'password_hash' },
      role: { name: 'role' },
      tokenVersion: { name: 'token_version' },
      keptToken: { name: 'kept_token', optional: true },
      revokedTokens: { name: 'revoked_tokens' },
    },
  },
  tags: {
    words: 'tag',
    columns: {
      name: { name: 'name' },
      slug: { name: 'slug', unique: true },
    },
  },
  posts: {
    words: 'post',
    columns: {
      title: { name: 'title', search: true },
      content: { name: 'content', search: true },
      price: { name: 'price', type: 'decimal', scale: 2, filter: true },
      day: { name: 'day', type: 'date', optional: true, filter: true },
      notes: { name: 'notes', type: 'json', optional: true },
      authorId: { name: 'author_id', filter: true },
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
    unique: [['post_id', 'author_id']],
    columns: {
      postId: { name: 'post_id', filter: true },
      authorId: { name: 'author_id', filter: true },
      content: { name: 'content' },
    },
    owner: ['authorId'],
    references: [
      { key: 'postId', to: 'posts', as: 'post', label: 'title' },
      { key: 'authorId', to: 'users', as: 'author', label: 'name' },
    ],
  },
}
