// The lower bound: node:http and the database driver, without a framework.
import { createServer } from 'node:http'
import { createClient } from '@libsql/client'

const db = createClient({ url: process.env.DATABASE_URL })
if (process.env.BENCH_WAL) {
  await db.execute('PRAGMA journal_mode = WAL')
  await db.execute('PRAGMA synchronous = NORMAL')
}
await db.executeMultiple(`
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT NOT NULL, age INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS users_created_at ON users (created_at, id);
`)

const columns = 'id, name, email, age, created_at, updated_at'

async function getUser(id) {
  const { rows } = await db.execute({ sql: `SELECT ${columns} FROM users WHERE id = ?`, args: [id] })
  return rows[0] ? [200, rows[0]] : [404, { error: 'user not found' }]
}

async function listUsers(query) {
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get('page_size') ?? 20)
  if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1 && size <= 100)) {
    return [400, { error: 'page and page_size must be in range' }]
  }
  const list = await db.execute({
    sql: `SELECT ${columns} FROM users ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
    args: [size, (page - 1) * size],
  })
  const count = await db.execute('SELECT count(*) AS total FROM users')
  return [200, { users: list.rows, total: count.rows[0].total }]
}

async function createUser(body) {
  const { name, email, age } = body
  if (typeof name !== 'string' || !/^\S+@\S+\.\S+$/.test(email) || !Number.isInteger(age)) {
    return [400, { error: 'name, email and age are required' }]
  }
  const now = new Date().toISOString()
  const { rows } = await db.execute({
    sql: `INSERT INTO users (name, email, age, created_at, updated_at) VALUES (?, ?, ?, ?, ?) RETURNING ${columns}`,
    args: [name, email, age, now, now],
  })
  return [201, rows[0]]
}

async function readJson(req) {
  const chunks = []
  for await (const chunk of req) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

async function route(req) {
  const url = new URL(req.url, 'http://localhost')
  if (url.pathname === '/api/v1/users') {
    if (req.method === 'GET') return listUsers(url.searchParams)
    if (req.method === 'POST') return createUser(await readJson(req))
    return [405, { error: 'method not allowed' }]
  }
  const id = /^\/api\/v1\/users\/([1-9]\d*)$/.exec(url.pathname)?.[1]
  return id && req.method === 'GET' ? getUser(Number(id)) : [404, { error: 'not found' }]
}

createServer(async (req, res) => {
  const [status, body] = await route(req).catch(() => [500, { error: 'internal error' }])
  const text = JSON.stringify(body)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  res.end(text)
}).listen(Number(process.env.PORT), '127.0.0.1')
