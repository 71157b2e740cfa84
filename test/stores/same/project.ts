import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { npm, packages, runStrata } from '../emitted-app.ts'

/**
 * A project that uses every generator feature: all field types and modifiers, restricting, cascading and
 * self-references, many-to-many lists by slug and by id, and owners. Keys are entities, in an order that creates
 * referenced entities first.
 */
const features: Readonly<Record<string, string>> = {
  Label: 'name:string slug:string:unique --search name',
  Badge: 'rank:int:unique note:text:optional',
  Sample: [
    'word:string:unique line:string:optional:index:min=2:max=40 about:text:default=""',
    'count:int:optional:unique size:uint:default=7:min=1:max=2000000000 ratio:float:optional:unique',
    'near:float:default=0.1 price:decimal(12,4):optional:unique rate:decimal(5,0):default=0',
    'live:bool:default=false flag:bool:optional day:date:optional:unique at:datetime:optional:unique',
    'code:uuid:optional:unique meta:json:optional extra:json:default="[1]" mail:email:optional:unique',
    'state:enum(fresh|old):default=fresh --search word,line,about,mail',
  ].join(' '),
  Node: 'name:string parent_id:uint:fk(Node):optional label_id:uint:fk:optional',
  Twig: 'name:string above_id:uint:fk(Twig):optional:cascade',
  Shelf: 'name:string:unique user_id:uint:fk --owner user_id --protect all',
  Book: 'title:string shelf_id:uint:fk:cascade label_id:uint:fk live:bool:default=false labels:many(Label) badges:many(Badge) --search title',
  Note: 'said:string:min=0 book_id:uint:fk:cascade twig_id:uint:fk:optional:cascade --protect write',
  Hold: 'name:text:default="" note_id:uint:fk node_id:uint:fk:optional:cascade shelf_id:uint:fk:cascade',
}

/** The plural resource names in URLs, in the order of the features. */
export const plurals = [
  ...(['labels', 'badges', 'samples', 'nodes', 'twigs'] as const),
  ...(['shelves', 'books', 'notes', 'holds'] as const),
]

export type Plural = 'users' | (typeof plurals)[number]

/** Embedded records of a resource: key → resource of the embedded record. */
export const shown: Readonly<Record<Plural, Readonly<Partial<Record<string, Plural>>>>> = {
  users: {},
  labels: {},
  badges: {},
  samples: {},
  nodes: {
    ...{ parent_id: 'nodes', parent: 'nodes', label_id: 'labels', label: 'labels' },
    holds: 'holds',
  },
  twigs: { above_id: 'twigs', above: 'twigs', notes: 'notes' },
  shelves: { user_id: 'users', user: 'users', books: 'books', holds: 'holds' },
  books: {
    ...{ shelf_id: 'shelves', shelf: 'shelves', label_id: 'labels', label: 'labels' },
    ...{ labels: 'labels', badges: 'badges', notes: 'notes' },
  },
  notes: { book_id: 'books', book: 'books', twig_id: 'twigs', twig: 'twigs' },
  holds: {
    ...{ note_id: 'notes', note: 'notes', node_id: 'nodes', node: 'nodes' },
    ...{ shelf_id: 'shelves', shelf: 'shelves' },
  },
}

/** Emits the project for a store kind into a folder and builds it. Returns its root. */
export async function emitProject(folder: string, kind: StoreKind): Promise<string> {
  const options = ['--database', kind, '--auth', '--no-install', '--no-git']
  await runStrata(folder, ['init', kind, ...options])
  const root = join(folder, kind)
  for (const [entity, line] of Object.entries(features)) {
    const access = line.includes('--protect') ? [] : ['--protect', 'none']
    await runStrata(root, ['feature', entity, ...line.split(' '), ...access])
  }
  symlinkSync(packages, join(root, 'node_modules'))
  writeFileSync(join(root, 'in-memory.ts'), inMemory)
  await npm(root, ['run', 'build'])
  return root
}

/** The command that serves the project with the in-memory adapters of its tests. */
export const inMemoryArgv = [process.execPath, '--import', 'tsx', 'in-memory.ts'] as const

const inMemory = `
import { createSecretKey, randomBytes } from 'node:crypto'
import { createApp } from './src/app.js'
import { createContainer } from './src/container.js'
import { createServer } from './src/http/server.js'
import { createLogger } from './src/infra/logger.js'
import { createPasswords } from './src/infra/passwords.js'
import { createTokens } from './src/infra/tokens.js'
import { createUploads } from './src/infra/uploads.js'
import { createMemoryRepositories } from './test/support/memory.js'

const container = createContainer(createMemoryRepositories(), {
  passwords: createPasswords(4),
  tokens: createTokens(createSecretKey(randomBytes(32))),
  uploads: createUploads(process.env.UPLOAD_DIR ?? ''),
})
const settings = { CORS_ORIGINS: [], TRUST_PROXY: 0, DOCS: false, METRICS: false, ping: async () => {} }
const app = await createApp(container, createLogger('info'), settings)
createServer(app).listen(Number(process.env.PORT), '127.0.0.1')
`
