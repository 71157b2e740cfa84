import { expect, test } from 'vitest'
import { isBranchWanted } from './branch-filter.ts'

test.each([
  [[], [], 'main', true],
  [['main'], [], 'main', true],
  [['main'], [], 'mainx', false],
  [['next', 'main'], [], 'main', true],
  [['feature/*'], [], 'feature/a', true],
  [[], ['dependabot/**'], 'dependabot/npm/x', false],
  [['main'], ['main'], 'main', false],
] as const)(
  'with branches %j and ignore %j, isBranchWanted(%s) is %s',
  (branches, ignore, branch, isWanted) => {
    expect(isBranchWanted({ branches, ignore }, branch)).toBe(isWanted)
  },
)
