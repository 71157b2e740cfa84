import { expect, test } from 'vitest'
import { deployPlan } from './deploy-plan.ts'

const ending = ['start', 'await-healthy', 'switch-route', 'drain', 'stop-old', 'prune']

test.each([
  [
    'the head of a branch',
    { source: 'head', hasCommit: false, isReleaseKept: false },
    ['fetch', 'checkout', 'admit', 'build'],
  ],
  [
    'an earlier commit whose release is kept',
    { source: 'commit', hasCommit: true, isReleaseKept: true },
    ['admit'],
  ],
  [
    'an earlier commit that is in the mirror',
    { source: 'commit', hasCommit: true, isReleaseKept: false },
    ['checkout', 'admit', 'build'],
  ],
  [
    'an earlier commit that is not',
    { source: 'commit', hasCommit: false, isReleaseKept: false },
    ['fetch', 'checkout', 'admit', 'build'],
  ],
] as const)('a deploy of %s', (_what, facts, beginning) => {
  expect(deployPlan(facts)).toEqual([...beginning, ...ending])
})
