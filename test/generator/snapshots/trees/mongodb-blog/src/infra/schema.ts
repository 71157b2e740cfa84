import type { Schema } from './collection.js'

/** The schema of the store. Opening the store updates it to this schema. */
export const schema: Schema = {
  users: {
    words: 'user',
    fields: {
      name: { name: 'name', type: 'string' },
      email: { name: 'email', type: 'email', unique: true },
      passwordHash: { name: 'password_hash', type: 'string' },
      role: { name: 'role', type: 'enum', default: 'user' },
      tokenVersion: { name: 'token_version', type: 'uint', default: 0 },
      keptToken: { name: 'kept_token', type: 'string', optional: true },
      revokedTokens: { name: 'revoked_tokens', type: 'text', default: '' },
    },
  },
  tags: {
    words: 'tag',
    fields: {
      name: { name: 'name', type: 'string' },
      slug: { name: 'slug', type: 'string', unique: true, sort: true },
    },
  },
  posts: {
    words: 'post',
    fields: {
      title: { name: 'title', type: 'string', index: true, sort: true, search: true },
      price: { name: 'price', type: 'decimal', scale: 2, range: true, default: '9.5' },
      notes: { name: 'notes', type: 'json', optional: true },
      authorId: { name: 'author_id', type: 'uint', filter: true, sort: true },
    },
    owner: ['authorId'],
    references: [{ key: 'authorId', to: 'users', as: 'author', label: 'name' }],
    many: [{ field: 'tags', name: 'tags', to: 'tags', key: 'slug', filter: 'tag' }],
    children: [{ field: 'comments', of: 'comments', key: 'postId' }],
  },
  comments: {
    words: 'comment',
    unique: [['post_id', 'author_id']],
    fields: {
      postId: { name: 'post_id', type: 'uint', filter: true, sort: true },
      authorId: { name: 'author_id', type: 'uint', filter: true, sort: true },
      content: { name: 'content', type: 'text' },
    },
    owner: ['authorId'],
    references: [
      { key: 'postId', to: 'posts', as: 'post', label: 'title', cascade: true },
      { key: 'authorId', to: 'users', as: 'author', label: 'name' },
    ],
  },
}
