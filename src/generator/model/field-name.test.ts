import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StrataError } from '../errors.ts'
import { fieldName } from './field-name.ts'

describe('a field name', () => {
  test.each([
    ['title', 'title', 'title'],
    ['first_name', 'first_name', 'firstName'],
    ['firstName', 'first_name', 'firstName'],
    ['userID', 'user_id', 'userId'],
    ['a_1', 'a_1', 'a1'],
    ['point_x_y', 'point_x_y', 'pointXY'],
  ])('%s is %s on the wire and %s in the code', (input, name, camel) => {
    expect(fieldName(input)).toEqual({ name, camel })
  })

  test.each('order group user key select default class type index table from where'.split(' '))(
    'accepts the SQL word %s',
    (input) => {
      expect(fieldName(input).name).toBe(input)
    },
  )

  test.each(['id', 'created_at', 'createdAt', 'updated_at', 'updatedAt'])(
    'refuses the managed field %s',
    (input) => {
      expect(() => fieldName(input)).toThrow(/is managed/)
    },
  )

  test.each(
    `constructor to_string toString value_of valueOf has_own_property is_prototype_of
     property_is_enumerable to_locale_string`.split(/\s+/),
  )('refuses the inherited member %s', (input) => {
    expect(() => fieldName(input)).toThrow(/every JavaScript object has a member/)
  })

  test.each([
    ['1st', 0],
    ['_name', 0],
    ['name_', 4],
    ['a__b', 1],
    ['first-name', 5],
    ['first name', 5],
    ['größe', 2],
    ['FirstName', 0],
    ['first_Name', 5],
    ['__proto__', 0],
  ])('%s is refused, and the error marks the invalid part', (input, start) => {
    expect(() => fieldName(input)).toThrow(
      expect.objectContaining({ kind: 'usage', place: { input, start, length: 1 } }),
    )
  })

  test('has at most 63 characters, the limit of PostgreSQL', () => {
    expect(fieldName('a'.repeat(63)).name).toHaveLength(63)
    expect(() => fieldName('a'.repeat(64))).toThrow(/63 characters/)
  })

  test('of any spelling is unchanged when parsed again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,20}$/), (input) => {
        fc.pre(!['id', 'iD', 'then'].includes(input))
        const { name, camel } = fieldName(input)
        expect(fieldName(name)).toEqual({ name, camel })
      }),
    )
  })

  test('from any string is parsed, or refused with a span inside the string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (input) => {
        try {
          expect(fieldName(input).name).toMatch(/^[a-z][a-z0-9_]*$/)
        } catch (error) {
          if (!(error instanceof StrataError)) throw error
          const { start, length } = error.place ?? { start: 0, length: 0 }
          expect(start + length).toBeLessThanOrEqual(input.length)
        }
      }),
    )
  })
})
