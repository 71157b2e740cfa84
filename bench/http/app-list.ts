import { join } from 'node:path'
import { repositoryFolder } from '../harness/folders.ts'
import { compile, npmBuild, peerFolder, prismaGenerate, prismaInitSql } from './app-build.ts'

/** One way to serve an API. All get the same PORT, DATABASE_URL and NODE_ENV=production. */
export interface App {
  readonly key: string
  readonly title: string
  readonly folder: string
  /** Argv lists after `node`, run in `folder` when `entry` does not exist. */
  readonly build: readonly (readonly string[])[]
  /** What `node` runs, relative to `folder`. */
  readonly entry: string
  /** SQL for a new database, where the framework's users run migrations before they start. */
  readonly migration?: string
  /** Settings of its own; `folder` is where the run keeps its files. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>
  /** How it treats the SQLite file and the log, where a reader would wonder. */
  readonly note: string
}

/** What the others are divided by, on the user API. */
export const baseKey = 'nest-prisma'
export const emittedKey = 'emitted'

export const apps: readonly App[] = [
  {
    key: 'raw',
    title: 'node:http + @libsql/client',
    folder: peerFolder('raw'),
    build: [],
    entry: 'main.js',
    note: 'no framework, no log: the floor',
  },
  {
    key: 'fastify-prisma',
    title: 'Fastify 5 + Prisma 7',
    folder: peerFolder('fastify-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'adapter-libsql; JSON schemas; logger: true (two lines a request)',
  },
  {
    key: baseKey,
    title: 'Nest 11 + Prisma 7',
    folder: peerFolder('nest-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'platform-express, adapter-libsql, ValidationPipe; logs its start only',
  },
  {
    key: 'nest-typeorm',
    title: 'Nest 11 + TypeORM 1',
    folder: peerFolder('nest-typeorm'),
    build: [compile],
    entry: 'dist/main.js',
    note: 'platform-express, better-sqlite3 type on the libsql driver; logs its start only',
  },
  {
    key: emittedKey,
    title: 'emitted (Express 5 + Prisma 7)',
    folder: join(repositoryFolder, 'examples/user-app'),
    build: [npmBuild],
    entry: 'dist/main.js',
    note: 'as the generator writes it; its own file settings in every run; one log line a request',
  },
]
