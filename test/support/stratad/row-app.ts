import { call, visit } from './call.ts'
import type { Daemon } from './daemon.ts'
import { plainApp } from './plain-app.ts'
import type { Project } from './project.ts'

/** An app that appends a row to a file of its data folder for each POST, and answers with all rows. */
export const rowApp: Readonly<Record<string, string>> = {
  ...plainApp,
  'server.js': `
const { appendFileSync, existsSync, readFileSync } = require('node:fs')
const file = process.env.STRATA_DATA + '/rows'
require('node:http')
  .createServer((request, response) => {
    if (request.method === 'POST') appendFileSync(file, request.url.slice(1) + '\\n')
    const rows = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\\n') : []
    response.end(JSON.stringify(rows))
  })
  .listen(process.env.PORT, process.env.HOST ?? '127.0.0.1')
`,
}

export async function addRow(
  daemon: Daemon,
  project: Project,
  row: string,
  branch?: string,
): Promise<void> {
  await visit(daemon, project.host(branch), `/${row}`, { body: {} })
}

export async function rowsOfApp(
  daemon: Daemon,
  project: Project,
  branch?: string,
): Promise<string[]> {
  return (await visit(daemon, project.host(branch))).body
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the members of an entry.
export async function trashOf(daemon: Daemon): Promise<any[]> {
  return (await call(daemon, 'GET', '/trash')).body
}
