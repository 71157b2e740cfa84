import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { startReferenceApp } from '../support/apps/reference-app.ts'
import { type MutantName, referenceMutants } from '../support/apps/reference-mutants.ts'
import { type Check, outcomeOf } from './suite/check.ts'
import { suites } from './suite/suites.ts'

const checks: readonly Check[] = suites.user

describe('the suite of the user application', () => {
  test('passes on the reference, twice on the same data and in any order', async () => {
    const app = await startReferenceApp()
    try {
      for (const check of [...checks, ...checks.toReversed()]) {
        expect.soft((await outcomeOf(check, app)).failure, check.title).toBeUndefined()
      }
    } finally {
      app.stop()
    }
  })

  test('has unique titles', () => {
    const titles = checks.map(({ title }) => title)
    expect(titles).toEqual([...new Set(titles)])
  })

  test('has at least one mutant for every check', () => {
    const noticed = new Set<string>(Object.values(referenceMutants))
    expect(checks.map(({ title }) => title).filter((title) => !noticed.has(title))).toEqual([])
  })

  for (const [name, title] of Object.entries(referenceMutants)) {
    test(`fails on the mutant ${name}: ${title}`, async () => {
      const check = checks.find((each) => each.title === title)
      assert.ok(check !== undefined, `no check is titled ${title}`)
      const app = await startReferenceApp(name as MutantName) // Object.entries widens the keys
      try {
        const { failure } = await outcomeOf(check, app)
        expect(failure, title).toBeInstanceOf(assert.AssertionError)
      } finally {
        app.stop()
      }
    })
  }
})
