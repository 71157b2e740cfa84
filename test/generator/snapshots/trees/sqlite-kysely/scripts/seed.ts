// `npm run seed`: creates users and sample records in the running app, except of kinds that have some. Ada is an admin. SEED
// is a number from 0 to 4 and selects the values.
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ApiError, createClient } from '../client/index.js'

if (existsSync('.env')) process.loadEnvFile('.env')
const { PORT = '8080', JWT_SECRET } = process.env
if (!JWT_SECRET) throw new Error('JWT_SECRET is missing: npm run setup writes it to .env')

const ada = await enter('Ada', 'ada@example.com', JWT_SECRET)
execFileSync('npm', ['run', '--silent', 'admin', '--', ada.user.email], { stdio: 'inherit' })
const grace = await enter('Grace', 'grace@example.com', JWT_SECRET)
const tags = await fill('tags', [ada.tags], (n) => ({
  name: `name ${n}`,
  slug: `slug ${n}`,
}))
const posts = await fill('posts', [ada.posts, grace.posts], (n) => ({
  title: `title ${n}`,
  content: `content ${n}`,
  price: (n / 100).toFixed(2),
  day: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  notes: { n },
  published: n % 2 === 0,
  tags: [pick(tags, n).slug],
}))
await fill('comments', [ada.comments], (n) => ({
  post_id: pick(posts, n).id,
  content: `content ${n}`,
}))
for (const { user, password } of [ada, grace]) {
  console.log(`${user.email} has the password ${password}`)
}

/** Registers a user, or logs in. The password derives from a secret, so no file contains it. */
async function enter(name: string, email: string, secret: string) {
  const password = createHmac('sha256', secret).update(email).digest('base64url')
  const baseUrl = `http://localhost:${PORT}`
  const { auth } = createClient({ baseUrl })
  const { token, user } = await auth.register({ name, email, password }).catch((error) => {
    if (error instanceof ApiError && error.status === 409) return auth.login({ email, password })
    throw error
  })
  const headers = { authorization: `Bearer ${token}` }
  return { user, password, ...createClient({ baseUrl, headers }) }
}

interface Collection<Body, Row> {
  list: () => Promise<object>
  create: (body: Body) => Promise<Row>
}

/** Creates records through each collection in turn, unless there are records. Returns the records. */
async function fill<Body, Row>(
  name: string,
  collections: readonly Collection<Body, Row>[],
  sample: (n: number) => Body,
): Promise<Row[]> {
  const count = 20
  const first = Number(process.env.SEED ?? 0) * count
  const page = await pick(collections, 0).list()
  const rows: Row[] = Object.values(page).find(Array.isArray) ?? []
  console.log(rows.length > 0 ? `${name}: keeping the records` : `${name}: creating ${count}`)
  if (rows.length > 0) return rows
  for (let n = first; n < first + count; n++) {
    rows.push(await pick(collections, n).create(sample(n)))
  }
  return rows
}

function pick<const Item>(items: readonly Item[], n: number): Item {
  const item = items[n % items.length]
  if (item === undefined) throw new Error('there is nothing to refer to')
  return item
}
