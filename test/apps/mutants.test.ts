import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAppMutants } from './mutants/user-app.ts'
import { healthChecks } from './suite/health.checks.ts'
import { suites } from './suite/suites.ts'
import { mutated, type SourceMutant } from './support/mutant-copy.ts'
import { titleThatNotices } from './support/mutant-run.ts'
import { prepareApp } from './support/prepare.ts'
import { isUserAppThere, userApp } from './support/user-app.ts'

const rootModules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const isSkipped = userAppMutants.length === 0 || !isUserAppThere()
const reason = isSkipped ? ' (skipped: no mutants are listed, or the app is not emitted)' : ''

describe.skipIf(isSkipped)(`the suite before broken copies of user-app${reason}`, () => {
  const modules = [join(userApp.folder, 'node_modules'), rootModules] as const

  beforeAll(() => prepareApp(userApp.folder))

  for (const mutant of userAppMutants) {
    test(`notices ${mutant.name}`, async () => {
      const title = await titleThatNotices(mutant, userApp, suites.user, modules)
      expect(title, 'no check noticed').toBeDefined()
    })
  }
})

describe('a mutant', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-tiny-'))
    await cp(
      fileURLToPath(new URL('./support/tiny-app.mjs', import.meta.url)),
      join(folder, 'app.mjs'),
    )
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const run = async (mutant: Omit<SourceMutant, 'name' | 'file'>) => {
    const program = { folder, argv: [process.execPath, 'app.mjs'] }
    const modules = [join(folder, 'node_modules'), rootModules] as const
    const named = { name: 'm', file: 'app.mjs', ...mutant }
    return titleThatNotices(named, program, healthChecks, modules)
  }

  test('that breaks a rule is noticed, and leaves the original as it was', async () => {
    const before = await readFile(join(folder, 'app.mjs'), 'utf8')
    expect(await run({ find: "'ok'", replace: "'well'" })).toBe(healthChecks[0]?.title)
    expect(await readFile(join(folder, 'app.mjs'), 'utf8')).toBe(before)
  })

  test('that breaks none is not', async () => {
    expect(await run({ find: "'ok'", replace: '"ok"' })).toBeUndefined()
  })

  test('that a check by name must notice is not forgiven by another', async () => {
    const last = healthChecks.at(-1)?.title ?? ''
    const broken = { find: "'ok'", replace: "'well'" }
    expect(await run({ ...broken, noticedBy: last })).toBeUndefined()
    await expect(run({ ...broken, noticedBy: 'no such check' })).rejects.toThrow(
      'no check is titled',
    )
  })

  test('that does not boot is an error and no success', async () => {
    await expect(run({ find: "'ok'", replace: "'ok" })).rejects.toThrow('did not become healthy')
  })

  test('edits its text where it stands, and takes the replacement literally', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '$& page' }
    expect(mutated('(page - 1) * size', mutant)).toBe('($& page) * size')
  })

  test('whose text is not there, or there twice, is an error', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '' }
    expect(() => mutated('page * size', mutant)).toThrow('must find its text once in a.ts')
    expect(() => mutated('page - 1, page - 1', mutant)).toThrow('finds it 2 times')
    expect(() => mutated('page', { ...mutant, find: '' })).toThrow('must find its text once')
  })
})
