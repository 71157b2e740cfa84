import { expect, onTestFinished, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { entityNames } from '../../../src/generator/model/names.ts'
import { renderProject } from '../../../src/generator/render/render.ts'
import { parseFieldArgs } from '../../../src/generator/spec/field-list.ts'
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
