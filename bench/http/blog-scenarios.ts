import { rareWord } from './blog-rows.ts'
import type { Effort, Scenario } from './scenarios.ts'

export const postsPath = '/api/v1/posts'

/** The queries of the timed lists, by name. */
export const listQueries = [
  { name: 'list', query: { page: '1', page_size: '20' } },
  { name: 'list, page 400', query: { page: '400', page_size: '20' } },
  { name: 'list ?tag', query: { tag: 'tag-7' } },
  { name: 'list ?published', query: { published: 'true' } },
  { name: 'list ?author_id', query: { author_id: '7' } },
  { name: 'list ?search', query: { search: rareWord.toLowerCase() } },
] as const

/** Lists run first: reading one post counts a view, which is a write. */
export const blogScenarios: readonly Scenario[] = [
  ...listQueries.map(
    ({ name, query }): Scenario => ({
      name,
      kind: 'list',
      path: `${postsPath}?${new URLSearchParams(query)}`,
      expect: 200,
    }),
  ),
  { name: 'GET one', kind: 'get', path: postsPath, expect: 200 },
]

const rows = 10_000

export const fullBlogEffort: Effort = {
  rounds: 5,
  startRounds: 5,
  rows,
  cellMs: 1_600,
  budgetMs: 430_000,
}

export const quickBlogEffort: Effort = {
  rounds: 3,
  startRounds: 3,
  rows,
  cellMs: 450,
  budgetMs: 75_000,
}
