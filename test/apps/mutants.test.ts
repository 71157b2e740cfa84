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
  test.skipIf(!isUserAppThere())('apply to what is emitted, and are still programs', async () => {
    for (const mutant of userAppMutants) {
      await expect.soft(brokenFile(userApp.folder, mutant), mutant.name).resolves.toBeDefined()
    }
  })

  const titles = [...suites.user, ...userProcessChecks].map(({ title }) => title)

  test('have one at least for every check', () => {
    const noticed = new Set(userAppMutants.map(({ noticedBy }) => noticedBy))
    expect(titles.filter((title) => !noticed.has(title))).toEqual([])
  })

  test('name the check that must notice, and have names that are unique', () => {
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

  test('that breaks a rule is noticed, and leaves the original as it was', async () => {
    const before = await readFile(join(folder, 'app.mjs'), 'utf8')
    expect((await failure({}))?.message).toContain("'well'")
    expect(await readFile(join(folder, 'app.mjs'), 'utf8')).toBe(before)
  })

  test('that breaks none is not', async () => {
    expect(await failure({ replace: '"ok"' })).toBeUndefined()
  })

  test('that a check by name must notice is not forgiven by another', async () => {
    expect(await failure({ noticedBy: timestampCheck ?? '' })).toBeUndefined()
    await expect(failure({ noticedBy: 'no such check' })).rejects.toThrow('no check is titled')
  })

  test('that does not boot is an error and no success', async () => {
    await expect(failure({ replace: "'ok" })).rejects.toThrow('did not become healthy')
  })

  test('edits its text where it stands, and takes the replacement literally', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '$& page', noticedBy: '' }
    expect(mutated('(page - 1) * size', mutant)).toBe('($& page) * size')
  })

  test('whose text is not there, or there twice, is an error', () => {
    const mutant = { name: 'm', file: 'a.ts', find: 'page - 1', replace: '', noticedBy: '' }
    expect(() => mutated('page * size', mutant)).toThrow('must find its text once in a.ts')
    expect(() => mutated('page - 1, page - 1', mutant)).toThrow('finds it 2 times')
    expect(() => mutated('page', { ...mutant, find: '' })).toThrow('must find its text once')
  })
})
