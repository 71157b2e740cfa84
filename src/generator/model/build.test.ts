import { describe, expect, test } from 'vitest'
import { parseFieldArgs } from '../spec/field-list.ts'
import { createFeature, createModel, featureEquals, withFeature } from './build.ts'
import type { Feature, Model } from './model.ts'
import { entityNames } from './names.ts'

const shop = createModel({ name: 'shop', module: '@acme/shop', database: 'sqlite', auth: false })

describe('withFeature', () => {
  test('starts from a model without features', () => {
    expect(shop).toEqual({
      name: 'shop',
      module: '@acme/shop',
      database: 'sqlite',
      auth: false,
      features: [],
    })
  })

  test('appends a new feature and replaces an existing one in place', () => {
    const model = modelOf(feature('Post'), feature('Tag'), feature('Post', ['body:text']))
    expect(entitiesOf(model)).toEqual(['Post', 'Tag'])
    expect(model.features[0]).toEqual(feature('Post', ['body:text']))
    expect(shop.features).toEqual([])
  })

  test.each([
    ['BlogPost', 'Blogpost', 'differs from the existing BlogPost only by case'],
    ['New', 'News', 'share the plural news: choose another plural for News with --plural'],
    ['Error', 'Errors', 'share the plural errors'],
    ['Map', 'MapRecord', 'share the type MapRecord'],
    ['Post', 'PostCreateInput', 'Prisma needs the name PostCreateInput for both'],
    ['PostCreateInput', 'Post', 'Prisma needs the name PostCreateInput for both'],
    ['Post', 'PostUnchecked', 'Prisma needs the name PostUncheckedCreateInput for both'],
    ['Aggregate', 'Model', 'Prisma needs the name AggregateModel for both'],
    ['Post', 'AggregatePost', 'Prisma needs the name AggregatePost for both'],
  ])('with the feature %s, refuses the feature %s', (first, second, message) => {
    expect(() => modelOf(feature(first), feature(second))).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    )
  })

  test.each([
    ['Post', 'BlogPost'],
    ['Post', 'PostCount'],
    ['Post', 'Posting'],
    ['User', 'UserGroup'],
  ])('accepts both %s and %s', (first, second) => {
    expect(entitiesOf(modelOf(feature(first), feature(second)))).toEqual([first, second])
  })

  test('accepts two entities with the same plural if one of them has another --plural', () => {
    const news = feature('News', ['title:string'], 'news-items')
    expect(entitiesOf(modelOf(feature('New'), news))).toEqual(['New', 'News'])
  })

  test('refuses two tables whose indexes would have the same name', () => {
    const post = feature('Post', ['tags_name:string:unique'])
    const tag = feature('PostsTag', ['name:string:unique'])
    expect(() => modelOf(post, tag)).toThrow(/both need a table or index posts_tags_name_key/)
    expect(entitiesOf(modelOf(post, feature('PostsTag', ['name:string'])))).toHaveLength(2)
  })

  test('refuses an index whose name PostgreSQL would truncate', () => {
    const long = 'a'.repeat(54)
    expect(() => modelOf(feature('Post', [`${long}:int:unique`]))).toThrow(
      new RegExp(`the index posts_${long}_key has 64 characters, and PostgreSQL allows 63`),
    )
    expect(entitiesOf(modelOf(feature('Post', [`${long}:int`])))).toEqual(['Post'])
  })
})

describe('featureEquals', () => {
  test('is true for two features with equal parts', () => {
    expect(featureEquals(feature('Post', ['a:int']), feature('post', ['a : int']))).toBe(true)
  })

  test.each([
    [feature('Post', ['a:int:optional'])],
    [feature('Post', ['b:int'])],
    [feature('Post', ['a:int', 'b:int'])],
    [feature('Post', ['a:int'], 'entries')],
    [feature('Page', ['a:int'])],
  ])('is false for a different field, name or plural (case %#)', (other) => {
    expect(featureEquals(feature('Post', ['a:int']), other)).toBe(false)
  })
})

function feature(name: string, fields = ['title:string'], plural?: string): Feature {
  const entity = entityNames(name, plural === undefined ? {} : { plural })
  return createFeature({ entity, ...parseFieldArgs(fields) })
}

function modelOf(...features: readonly Feature[]): Model {
  return features.reduce(withFeature, shop)
}

function entitiesOf(model: Model): readonly string[] {
  return model.features.map(({ entity }) => entity.pascal)
}
