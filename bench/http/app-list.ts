import { join } from 'node:path'
import { benchFolder, repositoryFolder } from '../harness/folders.ts'

/** One way to serve the user API. All get the same PORT, DATABASE_URL and NODE_ENV=production. */
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
  /** How it treats the SQLite file and the log, where a reader would wonder. */
  readonly note: string
}

/** What the others are divided by. */
export const baseKey = 'nest-prisma'
export const emittedKey = 'emitted'

const peerFolder = (name: string) => join(benchFolder, 'apps', name)
const tool = (path: string) => join(benchFolder, 'node_modules', path)
const prismaGenerate = [tool('prisma/build/index.js'), 'generate']
const compile = [tool('typescript/bin/tsc'), '-p', '.']
const initSql = 'prisma/migrations/0_init/migration.sql'

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
    migration: initSql,
    note: 'adapter-libsql; JSON schemas; logger: true (two lines a request)',
  },
  {
    key: baseKey,
    title: 'Nest 11 + Prisma 7',
    folder: peerFolder('nest-prisma'),
    build: [prismaGenerate, compile],
    entry: 'dist/main.js',
    migration: initSql,
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
    build: [[npmCli(), 'run', 'build']],
    entry: 'dist/main.js',
    note: 'as the generator writes it; its own file settings in every run; one log line a request',
  },
]

/** npm as a script for `node`: the one that runs us, or the one beside `node`. */
function npmCli(): string {
  return (
    process.env.npm_execpath ?? join(process.execPath, '../../lib/node_modules/npm/bin/npm-cli.js')
  )
}
