import { expect, onTestFinished, test } from 'vitest'
import { createFeature, createModel, withFeature } from '../../../src/generator/model/build.ts'
import type { Model } from '../../../src/generator/model/model.ts'
import { entityNames } from '../../../src/generator/model/names.ts'
import { renderProject } from '../../../src/generator/render/render.ts'
import { parseFieldArgs } from '../../../src/generator/spec/field-list.ts'
import { removeProject, writeProject } from '../../support/generator/properties/emitted-project.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'

const shop = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })

test('an entity does not take a file of the project', () => {
  expect(() => model('AppError')).toThrow('app-error.ts')
})

test('a plural does not take the key of the total in a list', () => {
  expect(() => model('Sum', 'total')).toThrow('--plural')
})

test('an entity with a long name is laid out as Biome wants', async () => {
  await expectClean(model('CustomerSubscriptionInvoice'))
})

test('an entity finds the names of its schemas and operations free in openapi.json', async () => {
  const openApi = (await renderProject(shop)).get('src/http/openapi.ts') ?? ''
  // Those of an entity begin with its name, or with a verb and its name; see crud-doc.ts.
  expect(openApi).toContain('schemas: Object.assign({ error: errorSchema }')
  expect(openApi.match(/operationId: '[^']+'/g)).toEqual(["operationId: 'checkHealth'"])
})

test('an enum is not unique, as its contract needs more rows than it has values', () => {
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
