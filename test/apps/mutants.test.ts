import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brokenFile, mutated, type SourceMutant } from '../support/apps/mutant-copy.ts'
import { failureOf } from '../support/apps/mutant-run.ts'
import {
  isUserAppThere,
  userApp,
  userAppModules,
  userProcessChecks,
} from '../support/apps/user-app.ts'
import { userAppMutants } from './mutants/user-app.ts'
import { healthChecks } from './suite/health.checks.ts'
import { suites } from './suite/suites.ts'

const [, rootModules] = userAppModules

describe('the broken versions of user-app', () => {
  test.skipIf(!isUserAppThere())('apply to the emitted code, and still compile', async () => {
    for (const mutant of userAppMutants) {
      await expect.soft(brokenFile(userApp.folder, mutant), mutant.name).resolves.toBeDefined()
    }
  })

  const titles = [...suites.user, ...userProcessChecks].map(({ title }) => title)

  test('include at least one for every check', () => {
    const noticed = new Set(userAppMutants.map(({ noticedBy }) => noticedBy))
    expect(titles.filter((title) => !noticed.has(title))).toEqual([])
  })

  test('name an existing check, and have unique names', () => {
    const unknown = userAppMutants.filter(({ noticedBy }) => !titles.includes(noticedBy))
    expect(unknown).toEqual([])
    const names = userAppMutants.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})

describe('a mutant', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-tiny-'))
    await cp(
      fileURLToPath(new URL('../support/apps/tiny-app.mjs', import.meta.url)),
      join(folder, 'app.mjs'),
    )
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const [statusCheck, timestampCheck] = healthChecks.map(({ title }) => title)
  const failure = async (mutant: Partial<SourceMutant>) => {
    const program = { folder, argv: [process.execPath, 'app.mjs'] }
    const modules = [join(folder, 'node_modules'), rootModules] as const
    const broken = { find: "'ok'", replace: "'well'", noticedBy: statusCheck ?? '' }
    const checks = { http: healthChecks, process: [] }
    return failureOf({ name: 'm', file: 'app.mjs', ...broken, ...mutant }, program, checks, modules)
  }

  test('that breaks a rule fails its check, and leaves the original unchanged', async () => {
    const before = await readFile(join(folder, 'app.mjs'), 'utf8')
    expect((await failure({}))?.message).toContain("'well'")
    expect(await readFile(join(folder, 'app.mjs'), 'utf8')).toBe(before)
  })

  test('that breaks no rule passes its check', async () => {
    expect(await failure({ replace: '"ok"' })).toBeUndefined()
  })

  test('is tested by its named check alone, and an unknown check is an error', async () => {
    expect(await failure({ noticedBy: timestampCheck ?? '' })).toBeUndefined()
    await expect(failure({ noticedBy: 'no such check' })).rejects.toThrow('no check is titled')
  })

  test('that does not boot is an error, not a detected mutant', async () => {
    await expect(failure({ replace: "'ok" })).rejects.toThrow('did not become healthy')
  })

  test('edits its text in place, and inserts the replacement literally', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '$& page', noticedBy: '' }
    expect(mutated('(page - 1) * size', mutant)).toBe('($& page) * size')
  })

  test('whose text is missing or occurs twice is an error', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '', noticedBy: '' }
    expect(() => mutated('page * size', mutant)).toThrow('must find its text once in a.ts')
    expect(() => mutated('page - 1, page - 1', mutant)).toThrow('finds it 2 times')
    expect(() => mutated('page', { ...mutant, find: '' })).toThrow('must find its text once')
  })
})
