import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StrataError } from '../errors.ts'
import { nextMigrationFolder } from './folder.ts'

test('the first migration is number one', () => {
  expect(nextMigrationFolder([], 'create_users')).toBe('0001_create_users')
})

test('a migration is one after the last, whatever the order they are given in', () => {
  const existing = ['0002_b', '0010_c', '0001_a', 'migration_lock.toml']
  const folders = existing.filter((name) => /^\d/.test(name))
  expect(nextMigrationFolder(folders, 'create_users')).toBe('0011_create_users')
})

test('a migration sorts after one that Prisma has named by its clock', () => {
  const existing = ['0001_a', '20261120120000_init']
  expect(nextMigrationFolder(existing, 'create_users')).toBe('20261120120001_create_users')
})

test('a number keeps the digits of the one before', () => {
  expect(nextMigrationFolder(['0_init'], 'create_users')).toBe('1_create_users')
  expect(nextMigrationFolder(['0099_a'], 'create_users')).toBe('0100_create_users')
})

test.each([[['9999_a']], [['init']], [['5_a', '0010_b']]])(
  'a folder that would not sort last is refused (%j)',
  (existing) => {
    expect(() => nextMigrationFolder(existing, 'b')).toThrow(StrataError)
  },
)

test('the next folder sorts after all there are, or is refused', () => {
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
