import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A Node app without dependencies that answers with its commit, its branch and its settings as JSON. `boot` identifies a
 * start of the app: in a container, each start has the same pid.
 */
export const plainApp: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'plain', scripts: { start: 'node server.js' } }),
  'server.js': `
const http = require('node:http')
const boot = require('node:crypto').randomUUID()
const { HOST = '127.0.0.1', PORT, STRATA_BRANCH, STRATA_COMMIT, STRATA_URL, GREETING = null } = process.env
const server = http.createServer((request, response) => {
  if (request.url === '/crash') process.exit(3)
  console.log(request.method + ' ' + request.url)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ branch: STRATA_BRANCH, commit: STRATA_COMMIT, url: STRATA_URL, greeting: GREETING, path: request.url, boot }))
})
server.listen(PORT, HOST, () => console.log('listening'))
process.on('SIGTERM', () => { server.close(() => process.exit(0)); server.closeIdleConnections() })
`,
}

/** Creates a repository with a work tree and one commit on `main`. */
export function createRepository(
  folder: string,
  files: Readonly<Record<string, string>> = plainApp,
) {
  mkdirSync(folder, { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
  commit(files, 'first')

  function git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.com',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.com',
      },
    }).trim()
  }

  /** Writes files and commits them. Returns the commit's SHA. */
  function commit(changes: Readonly<Record<string, string>>, message = 'change'): string {
    for (const [path, text] of Object.entries(changes)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    git('add', '--all')
    git('commit', '--quiet', '--allow-empty', '--message', message)
    return git('rev-parse', 'HEAD')
  }

  return { folder, git, commit }
}

export type Repository = ReturnType<typeof createRepository>
