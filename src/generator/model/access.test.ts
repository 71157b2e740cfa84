import { describe, expect, test } from 'vitest'
import { featureOf } from '../../../test/support/generator/memory-project.ts'
import { accessOf } from './access.ts'
import { createModel, withFeature } from './build.ts'
import type { Field, Model } from './model.ts'
import { childrenOf, forwardOf } from './relations.ts'

const empty = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: true })

const order = 'Order note:string customer_id:uint:fk(User) --owner=customer_id --private'
const line = 'Line order_id:uint:fk:cascade count:uint'
const parcel = 'Parcel line_id:uint:fk:cascade code:string'

describe('the access to records', () => {
  test('is open without options, and protected as --protect says', () => {
    expect(access('Tag name:string')).toEqual({ reads: 'open', writes: 'open', viewers: [] })
    expect(access('Tag name:string --protect=write')).toMatchObject({ writes: 'token' })
    expect(access('Tag name:string --protect=all')).toMatchObject({ reads: 'token' })
    expect(access('Tag name:string --protect=admin')).toMatchObject({
      reads: 'open',
      writes: 'admin',
    })
  })

  test('of private records needs a token, and a caller who is the owner', () => {
    expect(access(order)).toEqual({
      reads: 'token',
      writes: 'token',
      owner: ['customer_id'],
      viewers: [['customer_id']],
    })
  })

  test('of parts, and of their parts, follows the whole', () => {
    const path = ['line_id', 'order_id', 'customer_id']
    expect(access(order, line, parcel)).toEqual({
      reads: 'token',
      writes: 'token',
      owner: path,
      viewers: [path],
    })
  })

  test('of parts with an owner keeps its own rule, inside of what is visible', () => {
    const note = 'Note order_id:uint:fk:cascade author_id:uint:fk(User) --owner=author_id'
    expect(access(order, note)).toMatchObject({
      owner: ['author_id'],
      viewers: [['order_id', 'customer_id']],
    })
  })

  test('of parts is at least as protected as the whole, unless the parts have an owner', () => {
    const menu = 'Menu name:string --protect=admin'
    expect(access(menu, 'Dish menu_id:uint:fk:cascade name:string')).toMatchObject({
      reads: 'open',
      writes: 'admin',
    })
    expect(
      access(menu, 'Review menu_id:uint:fk:cascade by_id:uint:fk(User) --owner=by_id'),
    ).toMatchObject({ writes: 'token' })
  })
})

describe('private records', () => {
  test('are embedded in their whole only if its readers may see them', () => {
    const post = 'Post title:string author_id:uint:fk(User) --owner=author_id'
    const memo = 'Memo post_id:uint:fk:cascade by_id:uint:fk(User) --owner=by_id'
    expect(partsOf(build(post, memo))).toEqual(['memos'])
    expect(partsOf(build(post, `${memo} --private`))).toEqual([])
    expect(partsOf(build(order, line))).toEqual(['lines'])
  })

  test('show no label to readers of other records', () => {
    const model = build(order, line, 'Complaint order_id:uint:fk text:string')
    expect(labelsOf(model, 1)).toEqual(['note'])
    expect(labelsOf(model, 2)).toEqual([undefined])
  })

  test.each([
    [['Memo text:string --private'], /need an owner.*none: add author_id/],
    [[order, 'Report name:string orders:many(Order)'], /would show private records of Order/],
    [[order, 'Line order_id:uint:fk:cascade:optional count:uint'], /order_id.*can't be optional/],
    [
      [
        order,
        'Team name:string boss_id:uint:fk(User) --owner=boss_id',
        'Line order_id:uint:fk:cascade team_id:uint:fk:cascade',
      ],
      /part of Order and Team, which both have an owner/,
    ],
    [
      [
        order,
        'Memo order_id:uint:fk:cascade by_id:uint:fk(User) --owner=by_id',
        'Reply memo_id:uint:fk',
      ],
      /memo_id can't refer to Memo/,
    ],
  ])('%j is refused', (lines, message) => {
    expect(() => build(...lines)).toThrow(message)
  })
})

test('keys with cascade may form a cycle', () => {
  const model = build('A name:string', 'B a_id:uint:fk:cascade name:string')
  const changed = featureOf('A b_id:uint:fk:cascade:optional c_id:uint:fk(B):cascade:optional')
  expect(() => withFeature(model, changed)).not.toThrow()
})

function build(...lines: readonly string[]): Model {
  return lines.map(featureOf).reduce(withFeature, empty)
}

/** Returns the access to the last feature, with the names of its keys. */
function access(...lines: readonly string[]) {
  const model = build(...lines)
  const [feature] = model.features.slice(-1)
  if (feature === undefined) throw new Error('no feature')
  const { reads, writes, owner, viewers } = accessOf(model, feature)
  const names = (path: readonly Field[]) => path.map(({ name }) => name)
  return { reads, writes, ...(owner && { owner: names(owner) }), viewers: viewers.map(names) }
}

function partsOf(model: Model): readonly string[] {
  return model.features
    .slice(0, 1)
    .flatMap((feature) => childrenOf(model, feature).map(({ name }) => name))
}

function labelsOf(model: Model, index: number) {
  return model.features
    .slice(index, index + 1)
    .flatMap((feature) => forwardOf(model, feature).map(({ label }) => label?.name))
}
