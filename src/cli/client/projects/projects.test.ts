import { expect, test } from 'vitest'
import type { Project } from '../../../../daemon/client/contract.ts'
import { parseRemote } from '../repository/remotes.ts'
import { projectOf } from './projects.ts'

const shop: Project = {
  id: 1,
  name: 'shop',
  repo_dir: '/home/ada/shop',
  repo_url: null,
  hosted: null,
  context: '',
  pause_after: '30m',
  destroy_after: '7d',
  default_branch: 'main',
  trash_keep: '30d',
  branches: [],
  ignore: [],
  max_environments: null,
  has_git_token: false,
  has_webhook_secret: false,
  created_at: '2026-01-31T12:00:00Z',
}
const pushed: Project = {
  ...shop,
  id: 2,
  repo_dir: null,
  repo_url: 'ssh://git@git.example.com/team/shop.git',
}
const part: Project = { ...shop, id: 3, context: 'apps/web' }
const all = [shop, pushed, part]
const remote = parseRemote('origin', 'git@git.example.com:team/Shop.git')
const here = { root: '/home/ada/shop', context: '' }

test('a local daemon matches a project by the path of the folder', () => {
  expect(projectOf(all, here, remote, true)?.id).toBe(1)
})

test('a remote daemon matches a project by its remote URL, in any spelling', () => {
  expect(projectOf(all, here, remote, false)?.id).toBe(2)
  expect(projectOf(all, here, undefined, false)).toBeUndefined()
})

test('a subfolder with an app is a separate project', () => {
  expect(projectOf(all, { ...here, context: 'apps/web' }, remote, true)?.id).toBe(3)
  expect(projectOf(all, { ...here, context: 'apps/api' }, remote, true)).toBeUndefined()
})

test('parsing a remote URL removes its credential', () => {
  const parsed = parseRemote('origin', 'https://ada:hunter2@git.example.com/team/shop.git')
  expect(parsed?.url).toBe('https://git.example.com/team/shop.git')
})

test('a local path is not a remote', () => {
  expect(parseRemote('origin', '/srv/git/shop.git')).toBeUndefined()
  expect(parseRemote('origin', '../shop')).toBeUndefined()
})

test('projectOf prefers the repository that the daemon hosts', () => {
  const hosted: Project = { ...shop, id: 4, repo_dir: null, hosted: 'shop' }
  const here = { root: '/home/ada/shop', context: '' }
  expect(projectOf([...all, hosted], here, undefined, true, 'shop')?.id).toBe(4)
  expect(projectOf([...all, hosted], here, undefined, true)?.id).toBe(1)
  expect(projectOf(all, here, undefined, true, 'other')?.id).toBe(1)
})
