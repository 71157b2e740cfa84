import { describe, expect, test } from 'vitest'
import { blogApp, blogAppProcessChecks, mutatedBlogApp } from '../support/apps/blog-app.ts'
import { describeMutants } from '../support/apps/describe-mutants.ts'
import { brokenFile } from '../support/apps/mutant-copy.ts'
import { blogAppMutants, quickBlogAppMutants } from './mutants/blog-app.ts'
import { blogChecks } from './suite/blog/blog.ts'
import { diskChecks } from './suite/blog/disk.checks.ts'
import { secretChecks } from './suite/blog/secrets.checks.ts'
import { suites } from './suite/suites.ts'

describe('the broken versions of blog-app', () => {
  test('apply to the emitted code, and still compile', async () => {
    for (const mutant of blogAppMutants) {
      await expect.soft(brokenFile(blogApp.folder, mutant), mutant.name).resolves.toBeDefined()
    }
  })

  test('include at least one for every check that only a blog has', () => {
    const noticed = new Set(blogAppMutants.map(({ noticedBy }) => noticedBy))
    const titles = [...blogChecks, ...secretChecks, ...diskChecks].map(({ title }) => title)
    expect(titles.filter((title) => !noticed.has(title))).toEqual([])
  })

  test('name an existing check, and have unique names', () => {
    const titles = [...suites.blog, ...blogAppProcessChecks].map(({ title }) => title)
    expect(blogAppMutants.filter(({ noticedBy }) => !titles.includes(noticedBy))).toEqual([])
    const names = blogAppMutants.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })
})

describeMutants(
  'the suite before a few broken versions of blog-app',
  quickBlogAppMutants,
  mutatedBlogApp,
)
