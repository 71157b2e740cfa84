import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedProject, temporaryFolder } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'

const bookstore = () => sharedProject('Book title:string')

/** `«»` encloses the part that the caret must mark. */
test.each([
  ['title:«strng»', 'unknown type "strng": did you mean string? the types are string, text,'],
  ['title:«Int»', 'unknown type "Int": did you mean int?'],
  ['title:«varchar»', 'unknown type "varchar": did you mean string?'],
  ['title:«xyzzyx»', 'unknown type "xyzzyx": the types are'],
  ['title:string(«80»)', 'string takes no brackets: write string:max=120 to limit the length'],
  ['«title»', 'title has no type: write title:string'],
  ['title:string:«uniqe»', 'unknown modifier "uniqe": did you mean unique?'],
  ['title:string:optional:«optional»', 'optional is given twice: leave one out'],
  ['body:text:«unique»', "text can't be unique"],
  ['title:string:max=«0»', 'max must be a whole number from 1 to 65535, not 0'],
  ['title:string:max=5:min=«9»', 'min=9 is more than max=5'],
  [
    'pages:int:default=«x»',
    'the default must be a whole number from -2147483648 to 2147483647, not x',
  ],
  ['price:«decimal»', 'decimal needs precision and scale: write decimal(10,2)'],
  ['state:enum(a|«b-c»)', 'invalid enum value "b-c"'],
  ['state:enum«(»a|b', 'this bracket is not closed'],
  ['note:string:default=«"»x', 'this quote is not closed: add a "'],
  ['«id»:int', 'id is managed: every entity has it already'],
  ['«created_at»:datetime', 'created_at is managed'],
  ['«updatedAt»:datetime', 'updated_at is managed'],
  ['«constructor»:string', 'every JavaScript object has a member constructor'],
  ['first«-»name:string', '"first-name" is not a field name'],
  ['«F»irst:string', '"First" is not a field name: write it like first'],
  ['«_»x:string', '"_x" is not a field name'],
  ['n«é»e:string', '"née" is not a field name'],
  ['«2»nd:string', '"2nd" is not a field name'],
  ['author:«fk»', 'fk is a modifier, not a type: write uint:fk'],
  ['«author»:uint:fk', 'the name of a foreign key ends in _id: write author_id'],
  ['author_id:int:«fk»', 'a foreign key is a uint: write uint:fk'],
  ['tags:«many»', 'many needs an entity: write many(Tag)'],
])('the field %s is refused with a caret under the fault', async (field, sentence) => {
  const args = ['feature', 'Author', '--fields', `name:string,${plain(field)}`]
  const lines = await refused(await bookstore(), args, 2)
  expect(lines[0]).toContain(`error: ${sentence}`)
  expect(marked(lines)).toBe(`name:string,${field}`)
})

test.each([
  ['writer_id:uint:fk', 'writer_id:uint:fk(«Writer»)'],
  ['writer_id:uint:fk(person)', 'writer_id:uint:fk(«Person»)'],
  ['tags:many(Tag)', 'tags:many(«Tag»)'],
])('%s is refused with a caret under the missing entity', async (field, place) => {
  const lines = await refused(await bookstore(), ['feature', 'Author', 'name:string', field], 2)
  expect(lines[0]).toMatch(/refers to \w+, which does not exist: create it first/)
  expect(marked(lines)).toBe(place)
})

test('--protect is refused in a project without users', async () => {
  const args = ['feature', 'Author', 'name:string', '--protect']
  const lines = await refused(await bookstore(), [...args, 'write'], 2)
  expect(lines[0]).toContain('--protect, --owner and --private need a project created with --auth')
  const unknown = await refused(await bookstore(), [...args, 'writes'], 2)
  expect(unknown[0]).toContain('unknown protection "writes": did you mean write?')
  expect(marked(unknown)).toBe('«writes»')
})

test('--search is refused for a missing field and for a number', async () => {
  const args = ['feature', 'Author', 'name:string', 'age:int', '--search']
  const missing = await refused(await bookstore(), [...args, 'name,nam'], 2)
  expect(missing[0]).toContain('there is no field "nam" to search: did you mean name?')
  expect(marked(missing)).toBe('name,«nam»')
  const number = await refused(await bookstore(), [...args, 'age'], 2)
  expect(number[0]).toContain('age is of type int: --search needs a string, text or email field')
})

test('a fault in a positional field is marked in its argument', async () => {
  const args = ['feature', 'Author', 'name:string', 'age:unt', 'born:dat']
  expect(marked(await refused(await bookstore(), args, 2))).toBe('age:«unt»')
})

test.each([
  ['two fields of one name', 'a:int,«a»:string', 'a is declared twice: leave one out'],
  [
    'two spellings of one name',
    'first_name:string,«firstName»:string',
    'first_name and firstName would both be firstName in the code: rename one',
  ],
  ['an empty list', '«»', 'there are no fields: add at least one, like title:string'],
  ['a comma too many', 'a:int,«»', 'a field is missing here: write name:type'],
])('--fields with %s is refused', async (_, list, sentence) => {
  const args = ['feature', 'Author', '--fields', plain(list)]
  const lines = await refused(await bookstore(), args, 2)
  expect(lines[0]).toBe(`error: ${sentence}`)
  // A caret after the end of the line marks an empty place.
  expect(marked(lines)).toBe(list)
})

test.each([
  ['no fields', ['Author'], 'there are no fields: add at least one, like title:string'],
  [
    'both ways to give fields at once',
    ['Author', 'a:int', '--fields', 'b:int'],
    'pass the fields with --fields or as arguments, not both',
  ],
  [
    'a list in one argument',
    ['Author', 'a:int,b:int'],
    'an argument holds one field: pass a list with commas to --fields',
  ],
  ['an unknown option', ['Author', 'a:int', '--forse'], "unknown option '--forse'"],
  ['no entity', [], "missing required argument 'Entity'"],
  ['an entity with a space', ['Blog Post', 'a:int'], '"Blog Post" is not an entity name'],
  ['an entity that is a path', ['../Author', 'a:int'], '"../Author" is not an entity name'],
  ['an entity that begins with a digit', ['2Fast', 'a:int'], '"2Fast" is not an entity name'],
  ['an entity of other letters', ['Bücher', 'a:int'], '"Bücher" is not an entity name'],
  ['an empty entity', ['', 'a:int'], 'an entity name is missing: write it like BlogPost'],
  ['a name too long for a table', ['A'.repeat(60), 'a:int'], 'PostgreSQL allows 63'],
  ['a plural that is none', ['Author', 'a:int', '--plural', 'a/b'], '"a/b" is not a plural'],
  [
    'an entity that differs only by case',
    ['BOok', 'a:int'],
    'BOok differs from the existing Book only by case: choose another name',
  ],
  [
    'the plural of another entity',
    ['Tome', 'a:int', '--plural', 'books'],
    'Tome and the existing Book share the plural books: choose another plural for Tome with --plural',
  ],
])('a feature with %s is refused', async (_, args, sentence) => {
  const lines = await refused(await bookstore(), ['feature', ...args], 2)
  expect(lines[0]).toContain(sentence)
})

test.each(['--dry-run', '--json'])('a refusal has the same message with %s', async (option) => {
  const args = ['feature', 'Author', 'name:strng']
  const lines = await refused(await bookstore(), args, 2)
  expect(await refused(await bookstore(), [...args, option], 2)).toEqual(lines)
})

describe('outside a project', () => {
  const sentence =
    'error: there is no strata.json here or in a folder above: change to a project folder, or create one with strata init <name>'

  test('strata feature exits with 4', async () => {
    const lines = await refused(temporaryFolder(), ['feature', 'Author', 'name:string'], 4)
    expect(lines).toEqual([sentence])
  })

  test('a folder beside a project counts as outside', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'src'))
    expect(await refused(join(folder, 'src'), ['feature', 'A', 'b:int', '--dry-run'], 4)).toEqual([
      sentence,
    ])
  })

  test('an invalid field is reported first, because its check needs no project', async () => {
    await refused(temporaryFolder(), ['feature', 'Author', 'name:strng'], 2)
  })
})

function plain(text: string): string {
  return text.replaceAll(/[«»]/g, '')
}
