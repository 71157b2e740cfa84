import assert from 'node:assert/strict'
import { describe, expect, test } from 'vitest'
import { type BlogMutantName, blogMutants } from '../support/apps/blog/mutants.ts'
import { startReferenceBlog } from '../support/apps/blog/reference-blog.ts'
import { blogChecks } from './suite/blog/blog.ts'
import { type Check, outcomeOf } from './suite/check.ts'
import { suites } from './suite/suites.ts'

describe('the blog suite', () => {
  const titles = suites.blog.map(({ title }) => title)

  test('passes on the reference blog', async () => {
    await expectAllToPass(suites.blog, 1)
  })

  test('has checks that pass concurrently, and again on the same data', async () => {
    await expectAllToPass([...blogChecks, ...blogChecks.toReversed()], 8)
  })

  test('has unique titles', () => {
    expect(titles).toEqual([...new Set(titles)])
  })

  test('has at least one mutant for every check of the blog', () => {
    const noticed = new Set<string>(Object.values(blogMutants))
    const asked = new Set(suites.user.map(({ title }) => title))
    const own = titles.filter((title) => !asked.has(title.replace(/^\w+:/, 'users:')))
    expect(own.filter((title) => !noticed.has(title))).toEqual([])
  })

  for (const [name, title] of Object.entries(blogMutants)) {
    test.concurrent(`fails on the mutant ${name}: ${title}`, async () => {
      const check = suites.blog.find((each) => each.title === title)
      assert.ok(check !== undefined, `no check is titled ${title}`)
      const app = await startReferenceBlog(name as BlogMutantName) // Object.entries widens the keys
      try {
        const { failure } = await outcomeOf(check, app)
        expect(failure, title).toBeInstanceOf(assert.AssertionError)
      } finally {
        app.stop()
      }
    })
  }
})

/** Runs the checks on one reference, `atOnce` at a time. */
async function expectAllToPass(checks: readonly Check[], atOnce: number): Promise<void> {
  const app = await startReferenceBlog()
  const left = [...checks]
  const work = async (): Promise<void> => {
    for (let check = left.shift(); check !== undefined; check = left.shift()) {
      expect.soft((await outcomeOf(check, app)).failure, check.title).toBeUndefined()
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    app.stop()
  }
}
