import { expect, test } from 'vitest'
import type { Project } from '../../../../client/contract.ts'
import { changesOf, draftOf, faultsOf } from './settings-draft.ts'

const project: Project = {
  id: 1,
  name: 'shop',
  repo_dir: null,
  repo_url: 'https://git.example.com/team/shop.git',
  hosted: null,
  context: '',
  pause_after: '30m',
  destroy_after: null,
  default_branch: 'main',
  trash_keep: '30d',
  branches: ['main'],
  ignore: [],
  max_environments: 5,
  has_git_token: false,
  has_webhook_secret: false,
  created_at: '2026-01-31T12:00:00Z',
}

test('an unchanged draft changes nothing', () => {
  expect(changesOf(draftOf(project), project)).toEqual({})
})

test('a draft changes only the settings that differ', () => {
  const draft = { ...draftOf(project), isKept: false, destroyAfter: '2d', maxEnvironments: ' ' }
  expect(changesOf(draft, project)).toEqual({ destroy_after: '2d', max_environments: null })
})

test('patterns are lines without blanks', () => {
  const draft = { ...draftOf(project), branches: ' main \n\n feature/* \n' }
  expect(changesOf(draft, project)).toEqual({ branches: ['main', 'feature/*'] })
})

test('each invalid field has a sentence', () => {
  const draft = { ...draftOf(project), pauseAfter: '1 hour', maxEnvironments: '0' }
  expect(Object.keys(faultsOf(draft))).toEqual(['pauseAfter', 'maxEnvironments'])
  expect(faultsOf({ ...draft, pauseAfter: '1h', maxEnvironments: '100000' })).toEqual({})
})
