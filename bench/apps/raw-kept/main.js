// The true lower bound: node:http and a synchronous driver, with statements that are prepared once.
import { createServer } from 'node:http'
import { DatabaseSync } from '@photostructure/sqlite'

const db = new DatabaseSync(process.env.DATABASE_URL.replace(/^file:/, ''))
if (process.env.BENCH_WAL) db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
db.exec(`
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT NOT NULL, age INTEGER NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS users_created_at ON users (created_at, id);
`)

// The driver closes a database that is collected as garbage, also while statements of it are used.
process.on('exit', () => db.close())

const columns = 'id, name, email, age, created_at, updated_at'
const find = db.prepare(`SELECT ${columns} FROM users WHERE id = ?`)
const list = db.prepare(`SELECT ${columns} FROM users ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`)
const count = db.prepare('SELECT count(*) AS total FROM users')
const insert = db.prepare('INSERT INTO users (name, email, age, created_at, updated_at) VALUES (?, ?, ?, ?, ?)')

function getUser(id) {
  const user = find.all(id)[0]
  return user ? [200, user] : [404, { error: 'user not found' }]
}

function listUsers(query) {
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get('page_size') ?? 20)
  if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(size) && size >= 1 && size <= 100)) {
    return [400, { error: 'page and page_size must be in range' }]
  }
  return [200, { users: list.all(size, (page - 1) * size), total: count.all()[0].total }]
}

function createUser(body) {
  const { name, email, age } = body
  if (typeof name !== 'string' || !/^\S+@\S+\.\S+$/.test(email) || !Number.isInteger(age)) {
    return [400, { error: 'name, email and age are required' }]
  }
  const now = new Date().toISOString()
  const { lastInsertRowid } = insert.run(name, email, age, now, now)
  return [201, find.all(lastInsertRowid)[0]]
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
