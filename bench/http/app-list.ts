import { join } from 'node:path'
import { repositoryFolder } from '../harness/folders.ts'
import { compile, npmBuild, peerFolder, prismaGenerate, prismaInitSql } from './app-build.ts'

/** An app to measure. All apps get the same PORT, DATABASE_URL and NODE_ENV=production. */
export interface App {
  readonly key: string
  readonly title: string
  readonly folder: string
  /** Argv lists for `node`, run in `folder` if `entry` does not exist. */
  readonly build: readonly (readonly string[])[]
  /** Script to run, relative to `folder`. */
  readonly entry: string
  /** SQL for a new database; absent if the app creates its tables at startup. */
  readonly migration?: string
  /** Additional environment variables; `folder` holds the files of the run. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>
  /** How the app uses SQLite and logs, for readers of the table. */
  readonly note: string
}

/** The base of all ratios on the user API. */
export const baseKey = 'nest-prisma'
export const emittedKey = 'emitted'

export const apps: readonly App[] = [
  {
    key: 'raw',
    title: 'node:http + @libsql/client',
    folder: peerFolder('raw'),
    build: [],
    entry: 'main.js',
    note: 'no framework, no log; prepares each query again',
  },
  {
    key: 'raw-kept',
    title: 'node:http + @photostructure/sqlite',
    folder: peerFolder('raw-kept'),
    build: [],
    entry: 'main.js',
    note: 'no framework, no log; a synchronous driver and statements prepared once: the lower bound',
  },
  {
    key: 'fastify-prisma',
    title: 'Fastify 5 + Prisma 7',
    folder: peerFolder('fastify-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'adapter-libsql; JSON schemas; logger: true (two log lines per request)',
  },
  {
    key: baseKey,
    title: 'Nest 11 + Prisma 7',
    folder: peerFolder('nest-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: prismaInitSql,
    note: 'platform-express, adapter-libsql, ValidationPipe; logs only its start',
  },
  {
    key: 'nest-typeorm',
    title: 'Nest 11 + TypeORM 1',
    folder: peerFolder('nest-typeorm'),
    build: [compile],
    entry: 'dist/main.js',
    note: 'platform-express, better-sqlite3 type on the libsql driver; logs only its start',
  },
  {
    key: emittedKey,
    title: 'emitted (Express 5 + Prisma 7)',
    folder: join(repositoryFolder, 'examples/user-app'),
    build: [npmBuild],
    entry: 'dist/main.js',
    note: 'as generated; its own SQLite settings in every run; one log line per request',
  },
  {
    key: 'emitted-kysely',
    title: 'emitted (Express 5 + Kysely 0.28)',
    folder: peerFolder('kysely'),
    build: [['emit.js']],
    entry: 'user-app/dist/main.js',
    note: 'as generated with --orm kysely; its own SQLite settings in every run; one log line per request',
  },
]
