import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StrataError } from '../errors.ts'
import { nextMigrationFolder } from './migration-folder.ts'

test('the first migration has the number 0001', () => {
  expect(nextMigrationFolder([], 'create_users')).toBe('0001_create_users')
})

test('the next migration follows the greatest number, in any order of the input', () => {
  const existing = ['0002_b', '0010_c', '0001_a', 'migration_lock.toml']
  const folders = existing.filter((name) => /^\d/.test(name))
  expect(nextMigrationFolder(folders, 'create_users')).toBe('0011_create_users')
})

test('the next migration sorts after a folder that Prisma named by time', () => {
  const existing = ['0001_a', '20261120120000_init']
  expect(nextMigrationFolder(existing, 'create_users')).toBe('20261120120001_create_users')
})

test('the next number has as many digits as the last', () => {
  expect(nextMigrationFolder(['0_init'], 'create_users')).toBe('1_create_users')
  expect(nextMigrationFolder(['0099_a'], 'create_users')).toBe('0100_create_users')
})

test.each([[['9999_a']], [['init']], [['5_a', '0010_b']]])(
  'refuses the next migration if it would not sort after %j',
  (existing) => {
    expect(() => nextMigrationFolder(existing, 'b')).toThrow(StrataError)
  },
)

test('the next migration folder sorts last or is refused, for any folders', () => {
  const names = fc.array(fc.stringMatching(/^\d{1,14}_[a-z_]{1,8}$/))
  fc.assert(
    fc.property(names, (existing) => {
      const next = nameOrRefusal(existing)
      if (next instanceof StrataError) return next.kind === 'conflict'
      return [...existing, next].toSorted().at(-1) === next
    }),
  )
})

function nameOrRefusal(existing: readonly string[]): unknown {
  try {
    return nextMigrationFolder(existing, 'create_users')
  } catch (error) {
    return error
  }
}
