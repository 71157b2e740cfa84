import { expect, test } from 'vitest'
import { parseFieldArgs } from './field-list.ts'
import { printField, printMany } from './print-field.ts'

test.each([
  ['author_id:uint:fk', { target: 'Author', cascade: false }],
  ['blog_post_id:uint:fk', { target: 'BlogPost', cascade: false }],
  ['author_id:uint:fk(User)', { target: 'User', cascade: false }],
  ['authorId:uint:fk(user)', { target: 'User', cascade: false }],
  ['post_id:uint:cascade:fk( blog_post )', { target: 'BlogPost', cascade: true }],
])('the field %s is a foreign key', (text, references) => {
  expect(parseFieldArgs([text]).fields).toMatchObject([{ type: { kind: 'uint' }, references }])
})

test('many-to-many relations are listed apart from the fields', () => {
  const { fields, many } = parseFieldArgs([
    'tags:many(Tag)',
    'title:string',
    'coAuthors:many(user)',
  ])
  expect(fields.map(({ name }) => name)).toEqual(['title'])
  expect(many).toEqual([
    { name: 'tags', camel: 'tags', target: 'Tag' },
    { name: 'co_authors', camel: 'coAuthors', target: 'User' },
  ])
})

test.each(['author_id:uint:fk(User)', 'post_id:uint:fk(Post):cascade:optional'])(
  'the field %s is printed unchanged',
  (text) => {
    expect(parseFieldArgs([text]).fields.map(printField)).toEqual([text])
  },
)

test('a many-to-many relation is printed unchanged', () => {
  expect(parseFieldArgs(['a:int', 'tags:many(Tag)']).many.map(printMany)).toEqual([
    'tags:many(Tag)',
  ])
})

test('a column and a relation of the same name are refused', () => {
  expect(() => parseFieldArgs(['tags:string', 'tags:many(Tag)'])).toThrow('tags is declared twice')
})
