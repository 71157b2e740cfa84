import { describe, expect, test } from 'vitest'
import { parseFieldArgs } from '../spec/field-list.ts'
import { createFeature, createModel, placeFeature, withFeature } from './build.ts'
import { assertRelations } from './check-relations.ts'
import type { Feature, Model } from './model.ts'
import { entityNames } from './names.ts'

const open = createModel({ name: 'shop', module: 'shop', database: 'sqlite', auth: false })
const closed = { ...open, auth: true }

describe('a foreign key', () => {
  test('refers to an existing feature, or to the user of --auth', () => {
    expect(() => build(open, 'Author name:string', 'Book author_id:uint:fk')).not.toThrow()
    expect(() => build(closed, 'Book author_id:uint:fk(User)')).not.toThrow()
  })

  test('to a missing entity is refused with the nearest entity', () => {
    const fault = failureOf(() =>
      build(open, 'BlogAuthor name:string', 'Book author_id:uint:fk(Blogauthor)'),
    )
    expect(fault).toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(
        /refers to Blogauthor, .* did you mean BlogAuthor\? .*the entities are BlogAuthor, Book/,
      ),
      place: { input: 'author_id:uint:fk(Blogauthor)', start: 18, length: 10 },
    })
  })

  test('refers to its own entity only if it is optional', () => {
    expect(() => build(open, 'Page name:string parent_id:uint:fk(Page):optional')).not.toThrow()
    expect(() => build(open, 'Page name:string parent_id:uint:fk(Page)')).toThrow(
      'parent_id requires another Page, so no first record can be created',
    )
  })

  test('is refused if it closes a cycle of required keys', () => {
    const features = ['A b_id:uint:fk', 'B c_id:uint:fk', 'C a_id:uint:fk'].map(featureOf)
    expect(() => assertRelations(features.reduce(placeFeature, open))).toThrow(
      'A needs B needs C needs A, so no first record can be created',
    )
  })

  test('may be unique, which makes the relation one-to-one', () => {
    const book = 'Book author_id:uint:fk:unique'
    expect(() => build(open, 'Author name:string', book)).not.toThrow()
  })

  test('is accepted in a cycle of optional keys, in any order of the features', () => {
    const features = ['A b_id:uint:fk(B):optional', 'B a_id:uint:fk(A):optional'].map(featureOf)
    expect(() => assertRelations(features.reduce(placeFeature, open))).not.toThrow()
  })
})

describe('the field type many', () => {
  test('relates two entities but cannot relate an entity to itself', () => {
    expect(() => build(open, 'Tag name:string', 'Post title:string tags:many(Tag)')).not.toThrow()
    expect(() => build(open, 'Post title:string tags:many(Tag)')).toThrow('refers to Tag')
    expect(() => build(open, 'Post title:string posts:many(Post)')).toThrow(
      "many can't relate Post to itself",
    )
  })

  test('is refused in a cycle of embedded records', () => {
    const features = ['A name:string bs:many(B)', 'B name:string as:many(A)'].map(featureOf)
    expect(() => assertRelations(features.reduce(placeFeature, open))).toThrow(
      'parts form a cycle (A contains B contains A)',
    )
  })
})

test.each([
  ['the record of a key and a field', 'Author name:string', 'Book author:string author_id:uint:fk'],
  ['a key without a name of its own', 'Id name:string', 'Book id_id:uint:fk'],
  ['children and a field', 'Post title:string comments:int', 'Comment post_id:uint:fk:cascade'],
  ['many and the record of a key', 'Tag name:string', 'Post tag_id:uint:fk tag:many(Tag)'],
  ['a filter and a field', 'Tag name:string', 'Post tag:bool tags:many(Tag)'],
])('refuses two members of one name: %s', (_, ...lines) => {
  expect(() => build(open, ...lines)).toThrow(/would have two .*: rename one/)
})

test('refuses a field with the name of a search column', () => {
  const post = { ...featureOf('Post title:string title_search:string'), search: ['title'] }
  expect(() => withFeature(open, post)).toThrow('two members named title_search')
  expect(() => withFeature(open, { ...post, search: ['views'] })).toThrow('pass another --search')
})

describe('the options --protect and --owner', () => {
  const book = featureOf('Book title:string author_id:uint:fk(User)')

  test('require a project with users', () => {
    const note = featureOf('Note body:text')
    expect(() => withFeature(open, { ...note, protect: 'all' })).toThrow('created with --auth')
    expect(() => withFeature(closed, { ...note, protect: 'all' })).not.toThrow()
  })

  test('require a foreign key to User as the owner and then protect writes', () => {
    const owned = withFeature(closed, { ...book, owner: 'author_id' })
    expect(owned.features[0]).toMatchObject({ owner: 'author_id', protect: 'write' })
    expect(() => withFeature(closed, { ...book, owner: 'title' })).toThrow(
      'the owner of Book must be a foreign key to User, and title is not (these are: author_id)',
    )
  })
})

test.each([
  ['User name:string', 'already has a User'],
  ['Auth name:string', 'already has the file auth.ts'],
  ['Upload name:string', 'already has the file upload.ts'],
  ['Caller name:string', 'already has the file caller.ts'],
])('a project with users refuses the feature %s', (line, message) => {
  expect(() => build(closed, line)).toThrow(message)
  expect(() => build(open, line)).not.toThrow()
})

/** Builds a model from command lines such as `Book title:string`. */
function build(model: Model, ...lines: string[]): Model {
  return lines.map(featureOf).reduce(withFeature, model)
}

function featureOf(line: string): Feature {
  const [entity = '', ...fields] = line.split(' ')
  const lists = parseFieldArgs(fields)
  return createFeature({ entity: entityNames(entity), ...lists })
}

function failureOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
