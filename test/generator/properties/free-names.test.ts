import { expect, onTestFinished, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { entityNames } from '../../../src/generator/model/names.ts'
import { renderProject } from '../../../src/generator/render/render.ts'
import { parseFieldArgs } from '../../../src/generator/spec/field-list.ts'
import { featureOf } from '../../support/generator/memory-project.ts'
import { removeProject, writeProject } from '../../support/generator/properties/emitted-project.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })

test('an entity with the name of a project file is refused', () => {
  expect(() => model('AppError')).toThrow('app-error.ts')
})

test('a plural with the name of a key in list responses is refused', () => {
  expect(() => model('Sum', 'total')).toThrow('--plural')
})

test('an entity with a long name passes the Biome check', async () => {
  await expectClean(model('CustomerSubscriptionInvoice'))
})

test('entities with the names of shared functions and types compile', async () => {
  const names = [
    'Create',
    'Crud',
    'Check',
    'Records',
    'TableOf',
    'Page',
    'Parse',
    'List',
    'Operation',
  ]
  const fields = 'title:string done:bool state:enum(a|b) --search=title'
  const lines = [
    'Album title:string',
    // Details are parts, and have parts themselves.
    `Details ${fields} album_id:uint:fk(Album):cascade`,
    'Line text:text details_id:uint:fk(Details):cascade',
    ...names.map((name) => `${name} ${fields} line_id:uint:fk(Line)`),
    'Item title:string page_id:uint:fk(Page):cascade',
  ]
  const own = lines.reduce((all, line) => withFeature(all, featureOf(line)), shop)
  const root = await writeProject(own)
  onTestFinished(() => removeProject(root))
  expect(await runTool(root, 'prisma', 'generate')).toMatchObject({ code: 0 })
  const { code, output } = await runTool(root, 'tsc', '--noEmit')
  expect(code, output).toBe(0)
}, 60_000)

test('the schemas and operations of an entity have unused names in openapi.json', async () => {
  const openApi = (await renderProject(shop)).get('src/http/openapi.ts') ?? ''
  // The names of an entity start with its name in PascalCase, or with a verb and its name; see crud-doc.ts.
  expect(openApi.match(/components, { id: '[^']+'/g)).toEqual([
    "components, { id: 'error'",
    "components, { id: 'health'",
    "components, { id: 'readiness'",
  ])
  expect(openApi.match(/operationId: '[^']+'/g)).toEqual(["operationId: 'checkHealth'"])
})

test('a unique enum is refused: the contract tests need more rows than an enum has values', () => {
  expect(() => parseFieldArgs(['state:enum(a|b):unique'])).toThrow()
})

function model(entity: string, plural?: string): Model {
  const names = entityNames(entity, plural === undefined ? {} : { plural })
  return withFeature(shop, createFeature({ entity: names, ...parseFieldArgs(['amount:int']) }))
}

async function expectClean(own: Model): Promise<void> {
  const root = await writeProject(own)
  onTestFinished(() => removeProject(root))
  const { code, output } = await runTool(root, 'biome', 'check', '--error-on-warnings')
  expect(code, output).toBe(0)
}
