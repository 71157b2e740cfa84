import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runTool } from '../support/generator/properties/run-tool.ts'
import { cases, render } from './snapshots/cases.ts'
import { materialize } from './snapshots/storage.ts'

let root: string

beforeAll(async () => {
  const [project] = cases.filter(({ name }) => name === 'sqlite-access')
  if (project === undefined) throw new Error('there is no case sqlite-access')
  root = materialize('access-mutants', await render(project))
  const { code, output } = await runTool(root, 'prisma', 'generate')
  expect(code, output).toBe(0)
})

interface Mutant {
  /** The entity whose HTTP tests must fail. */
  readonly entity: string
  readonly file: string
  /** Replaces the first occurrence. */
  readonly from: string
  readonly to: string
}

const service = (entity: string) => `src/use-cases/${entity}.service.ts`
const repository = (entity: string) => `src/repositories/${entity}.repository.prisma.ts`

const owned = { from: 'await assertOwned(id, caller)', to: '' }
const listed = {
  from: "visibleTo: caller.role === 'admin' ? undefined : caller.id",
  to: 'visibleTo: undefined',
}

const mutants: readonly Mutant[] = [
  { entity: 'order', file: service('order'), ...owned },
  { entity: 'order', file: service('order'), ...listed },
  { entity: 'order', file: service('order'), from: "caller.role !== 'admin' && ", to: '' },
  {
    entity: 'order',
    file: repository('order'),
    from: 'AND: filter.visibleTo',
    to: 'OR: undefined && filter.visibleTo',
  },
  { entity: 'order-line', file: service('order-line'), ...owned },
  { entity: 'order-line', file: service('order-line'), ...listed },
  {
    entity: 'order-line',
    file: service('order-line'),
    from: 'await assertAccessToOrder(draft.orderId, caller)',
    to: '',
  },
  {
    entity: 'order-line',
    file: service('order-line'),
    from: 'await assertAccessToOrder(changes.orderId, caller)',
    to: '',
  },
  { entity: 'parcel', file: service('parcel'), ...listed },
  { entity: 'memo', file: service('memo'), from: 'await assertVisible(id, caller)', to: '' },
  {
    entity: 'report',
    file: service('report'),
    from: "if (caller.role === 'admin') return",
    to: '',
  },
  {
    entity: 'section',
    file: service('section'),
    from: 'owner !== caller.id',
    to: 'owner === undefined',
  },
  { entity: 'country', file: service('country'), from: "caller.role !== 'admin'", to: 'false' },
]

test.each(['order', 'order-line', 'parcel', 'memo', 'report', 'section', 'country'])(
  'the HTTP tests of %s pass without a mutant',
  async (entity) => {
    const { code, output } = await httpTests(entity)
    expect(code, output).toBe(0)
  },
)

test.each(mutants)('the HTTP tests of $entity notice $file without "$from"', async (mutant) => {
  const path = join(root, mutant.file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(mutant.from)
  writeFileSync(path, text.replace(mutant.from, mutant.to))
  try {
    const { code, output } = await httpTests(mutant.entity)
    expect(code, output).toBe(1)
    expect(output).toMatch(/of other users|other users may not|only admins/)
  } finally {
    writeFileSync(path, text)
  }
})

function httpTests(entity: string) {
  return runTool(root, 'vitest', 'run', `test/${entity}.http.test.ts`)
}
