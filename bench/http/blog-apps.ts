import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { repositoryFolder } from '../harness/folders.ts'
import { compile, npmBuild, peerFolder, prismaGenerate, prismaInitSql } from './app-build.ts'
import { type App, emittedKey } from './app-list.ts'
import { listQueries } from './blog-scenarios.ts'

const lists: readonly string[] = listQueries.map(({ name }) => name)

/**
 * Targets of the emitted blog: multiples of each peer's requests per second. Filtered lists have no target against Nest:
 * there the database dominates, and Nest's overhead is a few percent. The search has no target, as it reads more text
 * than the peers to fold case beyond ASCII.
 */
export const blogTargets = [
  {
    baseKey: 'express-prisma',
    target: 1.0,
    owedOn: lists.filter((name) => name !== 'list ?search'),
  },
  { baseKey: 'nest-prisma', target: 1.3, owedOn: ['list', 'list, page 400'] },
] as const

/** Three apps that serve the blog's reads. The peers define the same tables and indexes by hand. */
export const blogApps: readonly App[] = [
  {
    key: 'express-prisma',
    title: 'Express 5 + Prisma 7',
    folder: peerFolder('blog-express-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'hand-written, plain express(), adapter-libsql; no log',
  },
  {
    key: 'nest-prisma',
    title: 'Nest 11 + Prisma 7',
    folder: peerFolder('blog-nest-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'platform-express, adapter-libsql, ValidationPipe; logs only its start',
  },
  {
    key: emittedKey,
    title: 'emitted (Express 5 + Prisma 7)',
    folder: join(repositoryFolder, 'examples/blog-app'),
    build: [npmBuild],
    entry: 'dist/main.js',
    env: (folder) => ({
      JWT_SECRET: randomBytes(48).toString('hex'),
      UPLOAD_DIR: join(folder, 'uploads'),
    }),
    note: 'as generated; its own SQLite settings in every run; one log line per request',
  },
]
