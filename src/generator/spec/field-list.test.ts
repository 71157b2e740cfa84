import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Place, StrataError } from '../errors.ts'
import { parseFieldArgs, parseFieldList } from './field-list.ts'

describe('a list of fields', () => {
  test('reads every type, with and without modifiers', () => {
    const list =
      'a:string,b:text,c:int,d:uint,e:bool,f:float,g:decimal(10,2),h:date,i:datetime,j:uuid,k:json,l:email,m:enum(x|y)'
    expect(parseFieldList(list)).toEqual(parseFieldArgs(list.split(/,(?![0-9])/)))
    expect(parseFieldList(list).fields.map(({ type }) => type.kind)).toEqual(
      'string text int uint bool float decimal date datetime uuid json email enum'.split(' '),
    )
  })

  test('keeps the order of the fields and omits absent modifiers', () => {
    expect(parseFieldList('title:string:max=120,views:uint:default=0').fields).toEqual([
      {
        name: 'title',
        camel: 'title',
        type: { kind: 'string' },
        optional: false,
        unique: false,
        index: false,
        max: 120,
      },
      {
        name: 'views',
        camel: 'views',
        type: { kind: 'uint' },
        optional: false,
        unique: false,
        index: false,
        default: { kind: 'literal', value: 0 },
      },
    ])
  })

  test('accepts spaces around every separator', () => {
    expect(
      parseFieldList(
        '  title : string : max = 120 ,  price:decimal( 10 , 2 ), s : enum( a | b )  ',
      ),
    ).toEqual(parseFieldList('title:string:max=120,price:decimal(10,2),s:enum(a|b)'))
  })

  test('accepts modifiers in any order', () => {
    expect(parseFieldList('a:int:max=9:optional:min=1:index')).toEqual(
      parseFieldList('a:int:optional:index:min=1:max=9'),
    )
  })

  test.each([
    ['a:string:default="x, y: z"', 'x, y: z'],
    ['a:string:default="say \\"hi\\" \\\\ bye"', 'say "hi" \\ bye'],
    ['a:string:default=""', ''],
    ['a:string:default=" x "', ' x '],
    ['a:string:default=hello there', 'hello there'],
    ['a:string:default=f(x, y)', 'f(x, y)'],
    ['a:string:default=a=b', 'a=b'],
    ['a:string:default=now', 'now'],
    ['a:string:default=:-)', undefined],
  ])('the field %s has the default %j', (text, value) => {
    const read = () => parseFieldList(text).fields[0]?.default
    if (value === undefined) expect(read).toThrow(StrataError)
    else expect(read()).toEqual({ kind: 'literal', value })
  })

  test('keeps a comma in an unquoted value of a positional field', () => {
    expect(parseFieldArgs(['a:string:default=x,y']).fields[0]?.default).toEqual({
      kind: 'literal',
      value: 'x,y',
    })
  })
})

describe('a fault in a list of fields', () => {
  test.each([
    ['', '', 'there are no fields: add at least one, like title:string'],
    ['   ', '', 'there are no fields'],
    ['title', 'title', 'title has no type: write title:string'],
    ['a:int,title:', '', 'title has no type: write title:string'],
    [':string', '', 'a field name is missing: write name:type'],
    ['a:int,,b:int', '', 'a field is missing here: write name:type'],
    ['a:int,', '', 'a field is missing here: write name:type'],
    ['a:strng', 'strng', 'unknown type "strng": did you mean string? the types are string, text,'],
    ['a:String', 'String', 'unknown type "String": did you mean string?'],
    ['a:varchar', 'varchar', 'unknown type "varchar": did you mean string?'],
    ['a:integer', 'integer', 'unknown type "integer": did you mean int?'],
    ['a:boolean', 'boolean', 'unknown type "boolean": did you mean bool?'],
    ['a:qqqqqqqq', 'qqqqqqqq', 'unknown type "qqqqqqqq": the types are'],
    ['a:string(10)', '10', 'string takes no brackets: write string:max=120 to limit the length'],
    ['a:int()', '', 'int takes no brackets'],
    ['a:decimal', 'decimal', 'decimal needs precision and scale: write decimal(10,2)'],
    ['a:decimal(10)', '10', 'decimal needs precision and scale'],
    ['a:decimal(39,2)', '39,2', 'the precision of a decimal is 1 to 38, not 39'],
    ['a:decimal(0,0)', '0,0', 'the precision of a decimal is 1 to 38, not 0'],
    ['a:decimal(2,3)', '2,3', 'the scale of a decimal is at most its precision: 3 is more than 2'],
    ['a:decimal(2,1)x', 'x', 'unexpected "x" after the closing bracket'],
    ['a:enum', 'enum', 'enum needs values: write enum(draft|published)'],
    ['a:enum()', '', 'enum needs values'],
    ['a:enum(x|)', '', 'an enum value is missing'],
    ['a:enum(x|2y)', '2y', 'invalid enum value "2y"'],
    ['a:enum(x|y|X)', 'X', 'the enum lists X twice'],
    ['a:enum(x', '(', 'this bracket is not closed'],
    ['a:string:default="x', '"', 'this quote is not closed'],
    ['a:string:default="x"y', 'y', 'unexpected text after the closing quote'],
    ['a:string:default=x"y"', '"', 'put the whole value in double quotes'],
    ['a:string:default="\\n"', '\\n', 'invalid escape: expected \\" or \\\\'],
    ['a:string:default=', '', 'default= needs a value (write default="" for an empty text)'],
    ['a:string:default', 'default', 'default needs a value: default=…'],
    ['a:string:optional=yes', 'optional=yes', 'optional takes no value'],
    ['a:string:', '', 'a modifier is missing after the :'],
    ['a:string:uniqe', 'uniqe', 'unknown modifier "uniqe": did you mean unique?'],
    ['a:string:max=1:max=2', 'max=2', 'max is given twice: leave one out'],
    ['a:int,b:int,a:text', 'a', 'a is declared twice: leave one out'],
    [
      'first_name:int,firstName:int',
      'firstName',
      'first_name and firstName would both be firstName',
    ],
    ['a_1:int,a1:int', 'a1', 'a_1 and a1 would both be a1 in the code: rename one'],
    ['first-name:int', '-', '"first-name" is not a field name'],
    ['x:int, id:int', 'id', 'id is managed: every entity has it already'],
    ['author:uint:fk(User)', 'author', 'the name of a foreign key ends in _id: write author_id'],
    ['author_id:int:fk', 'fk', 'a foreign key is a uint: write uint:fk'],
    ['author_id:fk(User)', 'fk', 'fk is a modifier, not a type: write uint:fk'],
    ['author_id:uint:fk()', '', 'fk() names no entity: write fk(User)'],
    ['author_id:uint:fk(a b)', ' ', 'is not an entity name'],
    ['author_id:uint:fk:default=1', 'default=1', 'a foreign key takes no default'],
    ['author_id:uint:fk:min=1', 'min=1', 'a foreign key takes no min'],
    ['a_id:uint:cascade', 'cascade', 'cascade needs fk: write uint:fk:cascade'],
    ['tags:many', 'many', 'many needs an entity: write many(Tag)'],
    ['tags:many()', '', 'many needs an entity: write many(Tag)'],
    ['tags:many(Tag):optional', 'optional', 'many takes no modifiers'],
    ['tags:many(Tag)', 'tags', 'there is only many and no field'],
  ])('of %j is reported at %j', (input, part, message) => {
    const error = failureOf(() => parseFieldList(input))
    expect(error.kind).toBe('usage')
    expect(error.message).toContain(message)
    expect(error.place?.input).toBe(input)
    expect(textAt(error.place)).toBe(part)
  })

  test.each([
    ['a:bool:unique', "bool can't be unique"],
    ['a:text:unique', "text can't be unique"],
    ['a:json:unique', "json can't be unique"],
    ['a:json:index', "json can't be indexed"],
    ['a:text:index', "text can't be indexed"],
    ['a:bool:min=1', 'bool takes no min'],
    ['a:date:max=3', 'date takes no max'],
    ['a:int:unique:default=1', "a unique field can't have a default"],
    ['a:int:min=x', 'min must be a whole number from -2147483648 to 2147483647, not x'],
    ['a:int:max=2147483648', 'max must be a whole number'],
    ['a:uint:min=-1', 'min must be a whole number from 0 to 2147483647, not -1'],
    ['a:string:max=0', 'max must be a whole number from 1 to 65535, not 0'],
    ['a:string:max=65536', 'max must be a whole number from 1 to 65535'],
    ['a:string:min=-1', 'min must be a whole number from 0 to 65535'],
    ['a:string:min=5:max=4', 'min=5 is more than max=4'],
    ['a:string:min=300', 'min=300 is more than the 255 characters of a string'],
    ['a:string:unique:max=769', 'a unique or indexed string has at most 768 characters'],
    ['a:float:min=1e999', 'min must be a number'],
    ['a:decimal(5,2):max=1000', 'max must be a decimal(5,2)'],
    ['a:decimal(5,2):max=1.234', 'max must be a decimal(5,2)'],
    ['a:decimal(38,0):max=1234567890123456', 'of at most 15 digits'],
    ['a:string:max=3:default=four', 'the default must be 0 to 3 characters long, not 4'],
    ['a:string:min=3:default=""', 'the default must be 3 to 255 characters long, not 0'],
    ['a:int:default=1.5', 'the default must be a whole number'],
    ['a:int:min=5:default=4', 'a whole number from 5 to 2147483647, not 4'],
    ['a:bool:default=yes', 'the default must be true or false, not yes'],
    ['a:float:default=x', 'a number like 1.5, not x'],
    ['a:float:max=1:default=1.5', 'at most 1, not 1.5'],
    ['a:decimal(20,18):max=1:default=1.000000000000000001', 'at most 1.000000000000000000'],
    ['a:decimal(5,2):default=1.234', 'a number that fits decimal(5,2), not 1.234'],
    ['a:date:default=2026-02-30', 'now or a date like 2026-01-31'],
    ['a:date:default=0999-01-01', 'from the years 1000 to 9999'],
    ['a:datetime:default="2026-02-30T00:00:00Z"', 'now or a quoted instant'],
    ['a:datetime:default=2026-01-31', 'now or a quoted instant'],
    ['a:uuid:default=1234', 'a UUID of RFC 9562'],
    ['a:json:default={a}', 'the default must be JSON in double quotes'],
    ['a:json:default=null', 'instead of null, write optional'],
    ['a:json:default="[1e999]"', 'the default must be JSON'],
    ['a:email:default=nobody', 'an email address'],
    ['a:enum(draft|live):default=drat', 'one of draft, live, not drat: did you mean draft?'],
    ['a:int:default=now', 'the default must be a whole number'],
  ])('of %j names the contradiction', (input, message) => {
    expect(() => parseFieldArgs([input])).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    )
  })

  test('in a positional field is reported at its position in that argument', () => {
    const error = failureOf(() => parseFieldArgs(['a:int', 'b:strng']))
    expect(error.place).toEqual({ input: 'b:strng', start: 2, length: 5 })
  })

  test('in an argument with several fields recommends --fields', () => {
    expect(() => parseFieldArgs(['a:int,b:int'])).toThrow(/pass a list with commas to --fields/)
  })

  test('without any argument reports that there are no fields', () => {
    expect(failureOf(() => parseFieldArgs([])).message).toContain('there are no fields')
  })

  test('is always a usage error with a span inside the input', () => {
    const piece = fc.constantFrom(
      ...'a b1 _ A : , ( ) | " \\ = . - 1 22 string text decimal( enum( json date default= min= max= optional unique fk many( \n é 😀'.split(
        ' ',
      ),
      ' ',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((parts) => parts.join('')),
      fc.array(piece).map((parts) => `a:${parts.join('')}`),
    )
    fc.assert(
      fc.property(text, (input) => {
        assertPlaced(input, () => parseFieldList(input))
        assertPlaced(input, () => parseFieldArgs([input]))
      }),
      { numRuns: 1000 },
    )
  })
})

function assertPlaced(input: string, parse: () => unknown): void {
  try {
    parse()
  } catch (error) {
    if (!(error instanceof StrataError)) throw error
    const { place } = error
    expect(error.kind).toBe('usage')
    expect(place?.input).toBe(input)
    expect(place?.start).toBeGreaterThanOrEqual(0)
    expect((place?.start ?? 0) + (place?.length ?? 0)).toBeLessThanOrEqual(input.length)
  }
}

function textAt(place: Place | undefined): string | undefined {
  return place?.input.slice(place.start, place.start + place.length)
}

function failureOf(run: () => unknown): StrataError {
  try {
    run()
  } catch (error) {
    if (error instanceof StrataError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
