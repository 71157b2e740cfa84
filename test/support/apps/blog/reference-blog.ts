import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changePassword, logout, logoutAll, readMe, removeMe } from './accounts.ts'
import { login, register } from './auth.ts'
import { serveComments } from './comments.ts'
import { type Exchange, type Is, Refusal, sendJson, serve, type Verbs } from './exchange.ts'
import type { BlogMutantName } from './mutants.ts'
import { blogDocument } from './openapi.ts'
import { servePosts } from './posts.ts'
import { createTables, type Tables } from './tables.ts'
import { serveTags } from './tags.ts'
import { receiveUpload, removeUpload, sendUpload } from './uploads.ts'

export interface BlogParts {
  readonly tables: Tables
  readonly secret: string
  /** Folder of the uploads. */
  readonly folder: string
  readonly is: Is
}

/** The smallest correct blog, which tests the suite itself. A mutant breaks one rule. */
export function createReferenceBlog(parts: BlogParts): RequestListener {
  return async (req, res) => {
    const [path = '/', ...rest] = (req.url ?? '/').split('?')
    const exchange = { ...parts, req, res, query: new URLSearchParams(rest.join('?')) }
    try {
      await route(exchange, decoded(path))
    } catch (error) {
      const { status, message, details } =
        error instanceof Refusal ? error : new Refusal(500, 'internal error')
      if (status === 401 && !parts.is('no-challenge')) {
        const isBad =
          req.headers.authorization !== undefined && !parts.is('challenge-without-error')
        res.setHeader('WWW-Authenticate', isBad ? 'Bearer error="invalid_token"' : 'Bearer')
      }
      sendJson(exchange, status, { error: message, ...(details.length > 0 ? { details } : {}) })
    }
  }
}

export interface RunningBlog {
  readonly baseUrl: string
  readonly stop: () => void
}

/** Starts the reference in memory, on a free port. */
export async function startReferenceBlog(mutant?: BlogMutantName): Promise<RunningBlog> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-blog-'))
  const server = createServer(
    createReferenceBlog({
      tables: createTables(),
      secret: 'a secret of the reference, at least 32 bytes',
      folder: join(folder, 'uploads'),
      is: (name) => name === mutant,
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has an AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function route(exchange: Exchange, path: string): Promise<void> {
  const { is, tables } = exchange
  if (path === '/health') {
    const timestamp = new Date().toISOString()
    return serve(exchange, { GET: () => sendJson(exchange, 200, { status: 'ok', timestamp }) })
  }
  if (path === '/ready') {
    return serve(exchange, { GET: () => sendJson(exchange, 200, { status: 'ready' }) })
  }
  if (path === '/openapi.json') {
    return serve(exchange, { GET: () => sendJson(exchange, 200, blogDocument(is)) })
  }
  if (path === '/api/v1/users' && is('users-listed')) {
    return serve(exchange, { GET: () => sendJson(exchange, 200, tables.users.all()) })
  }
  const [, action = ''] = /^\/api\/v1\/auth\/([a-z-]+)$/.exec(path) ?? []
  const verbs = accountVerbs(exchange)[action]
  if (verbs !== undefined) return serve(exchange, verbs)
  if (path === '/api/v1/uploads') return serve(exchange, { POST: () => receiveUpload(exchange) })
  if (path.startsWith('/uploads/')) return serveFile(exchange, path.slice('/uploads/'.length))
  const [, plural, last, verb] =
    /^\/api\/v1\/(posts|comments|tags)(?:\/([^/]+)(?:\/(publish))?)?$/s.exec(path) ?? []
  if (plural === 'posts') return servePosts(exchange, last, verb)
  if (plural === 'comments' && verb === undefined) return serveComments(exchange, last)
  if (plural === 'tags' && verb === undefined) return serveTags(exchange, last)
  throw new Refusal(404, 'not found')
}

function accountVerbs(exchange: Exchange): Readonly<Record<string, Verbs>> {
  return {
    register: { POST: () => register(exchange) },
    login: { POST: () => login(exchange) },
    me: { GET: () => readMe(exchange), DELETE: () => removeMe(exchange) },
    password: { POST: () => changePassword(exchange) },
    logout: { POST: () => logout(exchange) },
    'logout-all': { POST: () => logoutAll(exchange) },
  }
}

function serveFile(exchange: Exchange, name: string): Promise<void> {
  const { is } = exchange
  const isOdd = name === '' || name.includes('/')
  if (isOdd && !is('files-climb') && !is('files-listed')) throw new Refusal(404, 'no such file')
  return serve(exchange, {
    GET: () => sendUpload(exchange, name),
    ...(is('files-deletable') ? { DELETE: () => removeUpload(exchange, name) } : {}),
  })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new Refusal(400, 'the path is badly encoded')
  }
}
