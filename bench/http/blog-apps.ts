import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { repositoryFolder } from '../harness/folders.ts'
import { compile, npmBuild, peerFolder, prismaGenerate, prismaInitSql } from './app-build.ts'
import { type App, emittedKey } from './app-list.ts'
import { listQueries } from './blog-scenarios.ts'

const lists: readonly string[] = listQueries.map(({ name }) => name)

/**
 * What the emitted blog owes on its lists: a multiple of each peer's requests a second. Nest costs its peer only some
 * percent of a list that is narrowed, where the database works most: more is owed on the list as it is. Nothing is owed
 * on the search, which folds case beyond ASCII and reads more text for it.
 */
export const blogTargets = [
  {
    baseKey: 'express-prisma',
    target: 1.0,
    owedOn: lists.filter((name) => name !== 'list ?search'),
  },
  { baseKey: 'nest-prisma', target: 1.3, owedOn: ['list', 'list, page 400'] },
] as const

/** The blog's reads, served three ways. The peers write the same tables and indexes by hand. */
export const blogApps: readonly App[] = [
  {
    key: 'express-prisma',
    title: 'Express 5 + Prisma 7',
    folder: peerFolder('blog-express-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'by hand, plain express(), adapter-libsql; no log',
  },
  {
    key: 'nest-prisma',
    title: 'Nest 11 + Prisma 7',
    folder: peerFolder('blog-nest-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'platform-express, adapter-libsql, ValidationPipe; logs its start only',
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
    note: 'as the generator writes it; its own file settings in every run; one log line a request',
  },
]
