import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { x as extract } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { done } from '../../support/generator/folders.ts'
import { packages } from '../../support/generator/properties/emitted-project.ts'
import { runTool } from '../../support/generator/properties/run-tool.ts'
import { strata } from '../../support/generator/strata.ts'

/** Files that strata emitted at older commits. `.strata/base` is left out, because its files are the same. */
const archives = [
  ['a9ea24d', 'club.tgz'],
  ['4b200ea', 'club-4b200ea.tgz'],
] as const

const fields = [
  ...['title:string:index', 'owner_id:uint:fk(User)', 'starts_at:datetime', 'tags:many(Tag)'],
  ...['state:enum(new|done)', 'seats:uint:default=0', '--owner', 'owner_id', '--search', 'title'],
]

describe.each(archives)(
  'a project of %s, with edits, after strata upgrade and strata feature',
  (_, name) => {
    const archive = fileURLToPath(new URL(name, import.meta.url))
    const root = mkdtempSync(join(tmpdir(), 'strata-earlier-'))
    const read = (path: string) => readFileSync(join(root, path), 'utf8')
    const edit = (path: string, change: (text: string) => string) =>
      writeFileSync(join(root, path), change(read(path)))

    beforeAll(async () => {
      const base = join(root, '.strata/base')
      mkdirSync(base, { recursive: true })
      extract({ file: archive, cwd: root, sync: true })
      const isGenerated = (path: string) => !path.endsWith('migration.sql')
      extract({ file: archive, cwd: base, sync: true, filter: isGenerated })
      symlinkSync(packages, join(root, 'node_modules'))
      edit('README.md', (text) => `${text}\nThe club plans its evenings.\n`)
      edit('src/use-cases/event.service.ts', (text) => text + isOpen)
      edit('src/routes.ts', (text) => text.replace('const api = Router()\n', motto))
      await done(root, 'upgrade')
      await done(root, 'feature', 'Event', ...fields)
      const { code, output } = await runTool(root, 'prisma', 'generate')
      expect(code, output).toBe(0)
    })

    afterAll(() => rmSync(root, { recursive: true, force: true }))

    test('keeps the edits', () => {
      expect(read('README.md')).toContain('The club plans its evenings.')
      expect(read('src/use-cases/event.service.ts')).toContain('export function isOpen')
      expect(read('src/routes.ts')).toContain("'bread and games'")
    })

    test('brings up every file: the project compiles', async () => {
      expect(read('tsconfig.json')).toContain('es2023')
      const { code, output } = await runTool(root, 'tsc', '--noEmit')
      expect(code, output).toBe(0)
    })

    test('writes a project whose tests pass', async () => {
      const { code, output } = await runTool(root, 'vitest', 'run')
      expect(code, output).toBe(0)
    })

    test('changes nothing the second time', async () => {
      const { code, stdout } = await strata(root, ['feature', 'Event', ...fields])
      expect([code, stdout]).toEqual([0, expect.stringContaining('Event already has these fields')])
    })
  },
)

const isOpen = `
/** Returns whether members can still come. */
export function isOpen({ startsAt }: { startsAt: Date }, now: Date): boolean {
  return now < startsAt
}
`

const motto = `const api = Router()
  api.get('/motto', (_req, res) => {
    res.json({ motto: 'bread and games' })
  })
`
