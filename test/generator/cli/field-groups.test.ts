import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addFeature, done, project, sharedProject } from '../../support/generator/folders.ts'
import { marked, refused } from '../../support/generator/refusal.ts'

const seats = 'Seat room:string row:uint place:uint:optional live:bool slug:string:unique body:text'
const grouped = `${seats} --unique room,row --index live,row`

describe('--unique and --index', () => {
  test('are repeatable, kept by later runs, and removed by none', async () => {
    const root = await project(`${seats} --unique room,row --unique row,place --index live,row`)
    expect(groupsIn(root)).toEqual([
      [
        ['room', 'row'],
        ['row', 'place'],
      ],
      [['live', 'row']],
    ])
    expect(readFileSync(join(root, 'prisma/schema.prisma'), 'utf8')).toMatch(
      /@@index\(\[live, row\]\)[^}]*@@unique\(\[room, row\]\)\s+@@unique\(\[row, place\]\)/,
    )
    await addFeature(root, 'Seat --add note:string:optional')
    expect(await addFeature(root, 'Seat --unique room,row --unique row,place')).toMatch(
      /^nothing to do/,
    )
    await addFeature(root, 'Seat --unique none')
    expect(groupsIn(root)).toEqual([undefined, [['live', 'row']]])
  })

  test('ask for --allow-destructive, because records may share the values', async () => {
    const lines = await refused(
      await sharedProject(seats),
      ['feature', 'Seat', '--unique', 'room,row'],
      3,
    )
    expect(lines).toContain(
      'seats is unique by room + row: the migration fails if two rows have the same values',
    )
  })

  test('follow a rename', async () => {
    const root = await project(grouped)
    await done(root, 'rename', 'Seat.row', 'line')
    expect(groupsIn(root)).toEqual([[['room', 'line']], [['live', 'line']]])
    const sql = readFileSync(
      join(root, 'prisma/migrations/0002_rename_seats_row_to_line/migration.sql'),
      'utf8',
    )
    expect(sql).toContain('seats_room_line_key')
    expect(sql).not.toContain('DROP TABLE')
  })

  test('are described as 409 in openapi.json and tested with distinct samples', async () => {
    const root = await project(
      'Post title:string',
      'Like post_id:uint:fk kind:enum(a|b) --unique post_id,kind',
    )
    expect(readFileSync(join(root, 'src/handlers/like.schema.ts'), 'utf8')).toContain(
      'create: [404, 409]',
    )
    expect(readFileSync(join(root, 'test/samples/like.sample.ts'), 'utf8')).toContain(
      'post_id: refs.posts[n % refs.posts.length]?.id ?? 0',
    )
  })

  /** `«»` encloses the part that the caret must mark. */
  test.each([
    [
      ['--unique', 'room,rwo'],
      'there is no field rwo: did you mean row? the fields are room, row, place, live, slug, body',
      'room,«rwo»',
    ],
    [
      ['--index', 'room,body'],
      'body is of type text, which is too long for an index',
      'room,«body»',
    ],
    [['--unique', 'room,slug'], 'slug is already unique alone: leave out the group', 'room,«slug»'],
    [
      ['--unique', 'room'],
      'a group has two fields or more: write room:…:unique in the list of fields',
      '«room»',
    ],
    [['--unique', 'room,room'], 'room is given twice: leave one out', 'room,«room»'],
    [['--unique', 'room,'], 'a field is missing here: write --unique post_id,user_id', 'room,«»'],
    [
      ['--unique', 'room,row', '--unique', 'row,room'],
      'row + room is given twice: leave one out',
      '«row,room»',
    ],
    [
      ['--unique', 'room,row', '--index', 'room,row'],
      'the fields are unique together, which is an index: leave out --index',
      undefined,
    ],
    [
      ['--add', 'mood:enum(a|b)', '--unique', 'live,mood'],
      'only few records could exist: name a field other than bool, enum',
      '«live,mood»',
    ],
    [
      ['--add', 'a:string:max=700', '--unique', 'room,a'],
      'an index of these fields has up to 3820 bytes, and MySQL allows 3072: give the strings a smaller max',
      '«room,a»',
    ],
  ])('%j is refused', async (args, sentence, place) => {
    const lines = await refused(await sharedProject(seats), ['feature', 'Seat', ...args], 2)
    expect(lines[0]).toContain(sentence)
    expect(marked(lines)).toBe(place)
  })

  test.each([
    [
      ['--drop', 'live,row'],
      'live is part of the index live + row, which would go with it: pass --index none too',
      '«live»,row',
    ],
    [
      ['--drop', 'room'],
      'room is part of the unique group room + row, which would go with it: pass --unique none too',
      '«room»',
    ],
    [
      ['row:uint', 'live:bool'],
      'room is part of the unique group room + row, which would go with it: pass --unique none too',
      undefined,
    ],
  ])('%j of a field in a group is refused', async (args, sentence, place) => {
    const lines = await refused(await sharedProject(grouped), ['feature', 'Seat', ...args], 2)
    expect(lines[0]).toContain(sentence)
    expect(marked(lines)).toBe(place)
  })

  test('let a field go together with its group', async () => {
    const root = await project(grouped)
    await addFeature(root, 'Seat --drop room --unique none --allow-destructive')
    expect(groupsIn(root)).toEqual([undefined, [['live', 'row']]])
  })

  test('are read from strata.json', async () => {
    const root = await project(seats)
    const path = join(root, 'strata.json')
    const file = JSON.parse(readFileSync(path, 'utf8'))
    file.features.Seat.unique = [['room', 'place']]
    writeFileSync(path, JSON.stringify(file, null, 2))
    await done(root, 'sync', '--allow-destructive')
    expect(readFileSync(join(root, 'prisma/schema.prisma'), 'utf8')).toContain(
      '@@unique([room, place])',
    )
    file.features.Seat.unique = [['room', 'plaec']]
    writeFileSync(path, JSON.stringify(file, null, 2))
    const [message] = await refused(root, ['sync'], 2)
    expect(message).toContain(
      'strata.json: features.Seat: --unique room,plaec of Seat: there is no field plaec',
    )
  })
})

function groupsIn(root: string) {
  const { unique, index } = JSON.parse(readFileSync(join(root, 'strata.json'), 'utf8')).features
    .Seat
  return [unique, index]
}
