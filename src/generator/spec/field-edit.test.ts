import { describe, expect, test } from 'vitest'
import { featureOf } from '../../../test/support/generator/memory-project.ts'
import { describeReplaced, editFields, parseDropped } from './field-edit.ts'
import { type FieldLists, parseAddedFields } from './field-list.ts'
import { printField, printMany } from './print-field.ts'

const post = featureOf('Post title:string body:text tags:many(Tag)')

describe('an edit of single fields', () => {
  test.each([
    ['appends a new field', ['views:int'], [], 'title:string body:text views:int tags:many(Tag)'],
    [
      'replaces a field of the same name in its place',
      ['title:string:max=80'],
      [],
      'title:string:max=80 body:text tags:many(Tag)',
    ],
    [
      'adds a relation alone',
      ['editors:many(User)'],
      [],
      'title:string body:text tags:many(Tag) editors:many(User)',
    ],
    ['drops a field and a relation', [], ['body,tags'], 'title:string'],
    [
      'reads lists with commas, inside brackets too',
      ['price:decimal(10,2),views:int'],
      [],
      'title:string body:text price:decimal(10,2) views:int tags:many(Tag)',
    ],
    [
      'replaces a field by a relation',
      ['body:many(Tag)'],
      [],
      'title:string tags:many(Tag) body:many(Tag)',
    ],
    ['replaces a relation by a field', ['tags:string'], [], 'title:string body:text tags:string'],
    [
      'drops the only field if another is added',
      ['name:string'],
      ['title', 'body'],
      'name:string tags:many(Tag)',
    ],
  ])('%s', (_, added, dropped, expected) => {
    expect(print(editFields(post, parseAddedFields(added), parseDropped(dropped)))).toBe(expected)
  })

  test('accepts both spellings of a dropped name', () => {
    const page = featureOf('Page first_name:string last_name:string')
    const edited = editFields(page, parseAddedFields([]), parseDropped(['firstName']))
    expect(print(edited)).toBe('last_name:string')
  })

  test.each([
    [
      [],
      ['bodi'],
      'there is no field "bodi" to drop: did you mean body? the fields of Post are title, body, tags',
    ],
    [['body:int'], ['body'], 'body is in --add and in --drop'],
    [[], ['title,body'], 'Post would have no field: keep one'],
    [[], ['title,'], 'a name is missing here: write --drop title'],
    [['a_1:int', 'a1:int'], [], 'would both be a1 in the code'],
  ])('refuses --add %j --drop %j', (added, dropped, message) => {
    expect(() => editFields(post, parseAddedFields(added), parseDropped(dropped))).toThrow(message)
  })

  test('refuses a name that is another spelling of an existing name', () => {
    const page = featureOf('Page a_1:int')
    expect(() => editFields(page, parseAddedFields(['a1:int']), [])).toThrow(
      'a_1 and a1 would both be a1 in the code: rename one',
    )
  })
})

describe('the description of a list that replaces fields', () => {
  test('names dropped and changed fields, and no added ones', () => {
    expect(describeReplaced(post, featureOf('Post title:string:max=80 views:int'))).toBe(
      'drops body, tags; title:string becomes title:string:max=80',
    )
  })

  test('is undefined if the list only adds fields', () => {
    const wider = featureOf('Post title:string body:text views:int tags:many(Tag)')
    expect(describeReplaced(post, wider)).toBeUndefined()
  })
})

function print({ fields, many }: FieldLists): string {
  return [...fields.map(printField), ...many.map(printMany)].join(' ')
}
