import { deepStrictEqual } from 'node:assert'
import { join } from 'node:path'
import { createRepository } from '../../test/support/stratad/plain-app.ts'

/** A Node program without dependencies and build, which responds with its branch, commit and process id. */
export const plainFiles = {
  'package.json': JSON.stringify({ name: 'plain', scripts: { start: 'node server.js' } }),
  'server.js': `
const http = require('node:http')
const { PORT, STRATA_BRANCH: branch, STRATA_COMMIT: commit } = process.env
const body = JSON.stringify({ branch, commit, pid: process.pid })
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', Buffer.byteLength(body))
  response.end(body)
})
server.listen(PORT, process.env.HOST ?? '127.0.0.1')
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeIdleConnections() })
`,
}

export interface PlainRepository {
  readonly folder: string
  /** URL of its origin, which webhooks name. No server is behind it. */
  readonly url: string
  /** The commit of each branch. */
  readonly commits: ReadonlyMap<string, string>
}

/** Creates a repository of the plain app, with one commit per branch. */
export function createPlainRepository(
  folder: string,
  name: string,
  branches: readonly string[],
): PlainRepository {
  const url = `https://git.example.com/team/${name}.git`
  const { git, commit, ...repository } = createRepository(join(folder, name), plainFiles)
  git('remote', 'add', 'origin', url)
  const commits = branches.map((branch) => {
    if (branch !== 'main') git('checkout', '--quiet', '-b', branch, 'main')
    return [branch, commit({ 'branch.txt': branch })] as const
  })
  return { folder: repository.folder, url, commits: new Map(commits) }
}

/** Returns the process id in a response. Throws if the response is not from this branch and commit. */
export function pidOf(text: string, expected: { branch: string; commit: string }): number {
  const { pid, ...rest } = JSON.parse(text)
  deepStrictEqual(rest, expected)
  return Number(pid)
}
