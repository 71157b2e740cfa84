import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Daemon } from './daemon.ts'
import { plainApp } from './plain-app.ts'
import { createProject, type Project } from './project.ts'

/** Inserts pairs of rows without a pause after `/write`, until `/stop`. `/` answers with rows and integrity. */
const server = `
const { DatabaseSync } = require('./vendor/node_modules/@photostructure/sqlite')
const database = new DatabaseSync(process.env.STRATA_DATA + '/app.db', { timeout: 10000 })
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE IF NOT EXISTS t (x)')
const insert = database.prepare('INSERT INTO t VALUES (randomblob(500))')
let isWriting = false
function write() {
  if (!isWriting) return
  database.exec('BEGIN IMMEDIATE')
  insert.run()
  insert.run()
  database.exec('COMMIT')
  setImmediate(write)
}
const ask = (query) => Object.values(database.prepare(query).get())[0]
require('node:http')
  .createServer((request, response) => {
    if (request.url === '/write' && !isWriting) {
      isWriting = true
      write()
    }
    if (request.url === '/stop') isWriting = false
    const rows = ask('SELECT count(*) FROM t')
    const integrity = request.url === '/check' ? ask('PRAGMA integrity_check') : null
    response.end(JSON.stringify({ rows, integrity }))
  })
  .listen(process.env.PORT, process.env.HOST ?? '127.0.0.1')
`

/** Creates a project whose app keeps rows in SQLite. Its repository contains the SQLite library. */
export async function createSqliteProject(daemon: Daemon, name = 'rows'): Promise<Project> {
  const project = await createProject(daemon, name, { ...plainApp, 'server.js': server })
  const { folder, git } = project.repository
  for (const library of ['@photostructure/sqlite', 'node-gyp-build']) {
    const from = fileURLToPath(new URL(`../../../node_modules/${library}`, import.meta.url))
    cpSync(from, join(folder, 'vendor/node_modules', library), {
      recursive: true,
      filter: (path) => !/\/(src|prebuilds\/(?!linux))|\.map$/.test(path.slice(from.length)),
    })
  }
  git('add', '--all', '--force')
  git('commit', '--quiet', '--message', 'add the library')
  return project
}
