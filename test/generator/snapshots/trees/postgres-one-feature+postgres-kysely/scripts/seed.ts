// `npm run seed`: creates sample records in the running app, except of kinds that have some. SEED is a number from 0 to 4
// and selects the values.
import { existsSync } from 'node:fs'
import { createClient } from '../client/index.js'

if (existsSync('.env')) process.loadEnvFile('.env')
const app = createClient({ baseUrl: `http://localhost:${process.env.PORT ?? 8080}` })

await fill('categories', [app.categories], (n) => ({
  name: `name ${n}`,
  position: n,
  opens: new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10),
  price: (n / 100).toFixed(4),
}))

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
