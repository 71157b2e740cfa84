import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFeature, done } from '../../support/generator/folders.ts'
import { strata } from '../../support/generator/strata.ts'

const folder = mkdtempSync(join(tmpdir(), 'strata-cli-'))
const root = join(folder, 'shop')
const order = 'Order note:string customer_id:uint:fk(User)'
const paid = `${order} paid:bool:default=false`

afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(async () => {
  await done(folder, 'init', 'shop', '--auth', '--no-install', '--no-git')
  await addFeature(root, `${order} --owner customer_id`)
  await addFeature(root, 'Line order_id:uint:fk:cascade count:uint')
  await addFeature(root, 'Parcel line_id:uint:fk:cascade code:string')
})

test('--private changes the parts of parts too, and is kept by a later run without it', async () => {
  expect(serviceOf('parcel')).not.toContain('visibleTo')
  expect(await addFeature(root, `${order} --private`)).toContain(
    'all routes require a token, and show a record to its owner and to admins alone',
  )
  for (const name of ['order', 'line', 'parcel']) expect(serviceOf(name)).toContain('visibleTo')
  await addFeature(root, paid)
  expect(optionsOf('Order')).toEqual({ protect: 'write', owner: 'customer_id', private: true })
})

test('--no-private keeps the owner, and --owner none removes the owner and --private', async () => {
  await addFeature(root, `${paid} --private`)
  await addFeature(root, `${paid} --no-private`)
  expect(optionsOf('Order')).toEqual({ protect: 'write', owner: 'customer_id' })
  expect(serviceOf('parcel')).toContain('only the customer of the order of the line may change')
  await addFeature(root, `${paid} --private`)
  await addFeature(root, `${paid} --owner none`)
  expect(optionsOf('Order')).toEqual({ protect: 'write' })
  expect(serviceOf('parcel')).not.toContain('assertOwned')
})

test('--private without an owner is refused', async () => {
  const { code, stderr } = await strata(root, ['feature', 'Memo', 'text:string', '--private'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('private records of Memo need an owner'),
  })
})

test('the output names the rule that parts follow', async () => {
  await addFeature(root, 'Menu name:string --protect admin')
  expect(await addFeature(root, 'Dish menu_id:uint:fk:cascade name:string')).toContain(
    'POST, PUT and DELETE require the token of an admin, as for Menu',
  )
})

function optionsOf(entity: string) {
  const { fields: _, ...options } = JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8'))
    .features[entity]
  return options
}

function serviceOf(name: string): string {
  return readFileSync(join(root, `src/use-cases/${name}.service.ts`), 'utf8').replace(/\s+/g, ' ')
}
