import { expect, test } from 'vitest'
import { sourceOf } from './source.ts'

const none = { repo_url: null, repo_dir: null, hosted: null }

test('sourceOf returns the URL or the folder of a repository, and the URL of one that the daemon hosts', () => {
  const url = 'https://git.example.com/team/shop.git'
  const origin = 'https://strata.example.com'
  expect(sourceOf({ ...none, repo_url: url }, origin)).toBe(url)
  expect(sourceOf({ ...none, repo_dir: '/srv/git/shop' }, origin)).toBe('/srv/git/shop')
  expect(sourceOf({ ...none, hosted: 'shop' }, origin)).toBe(
    'https://strata.example.com/git/shop.git',
  )
})
