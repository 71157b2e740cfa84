import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchHostname } from './hostnames.ts'

const labelOf = (branch: string, project: string) =>
  branchHostname({ branch, project, baseDomain: 'localhost' }).replace(/\.localhost$/, '')

describe('branchHostname', () => {
  test.each([
    ['main', 'shop', 'main--shop'],
    ['Feature/Login_Page', 'My Shop', 'feature-login-page--my-shop'],
    ['a--b', 'shop', 'a-b--shop'],
    ['-x-', '.shop.', 'x--shop'],
    ['v1.2.3', 'shop', 'v1-2-3--shop'],
  ])('maps branch %s of project %s to %s', (branch, project, label) => {
    expect(labelOf(branch, project)).toBe(label)
  })

  test('uses a hash for a branch without ASCII letters and digits', () => {
    expect(labelOf('日本', 'shop')).toMatch(/^[0-9a-f]{8}--shop$/)
    expect(labelOf('日本', 'shop')).not.toBe(labelOf('中国', 'shop'))
  })

  test('avoids labels that would be Punycode', () => {
    expect(labelOf('xn', 'shop')).toMatch(/^xn-[0-9a-f]{8}--shop$/)
  })

  test('keeps shortened names with a common prefix distinct', () => {
    const long = 'x'.repeat(100)
    const [one, two] = [labelOf(`${long}1`, 'shop'), labelOf(`${long}2`, 'shop')]
    expect(one).toHaveLength(63)
    expect(one).not.toBe(two)
    expect(labelOf('main', long)).not.toBe(labelOf('main', `${long}2`))
  })

  test('always returns one valid DNS label with a single -- separator', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (branch, project) => {
          const label = labelOf(branch, project)
          expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
          expect(label.split('--')).toHaveLength(2)
          expect(label.startsWith('xn--')).toBe(false)
          expect(labelOf(branch, project)).toBe(label)
        },
      ),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '-', '/', 'B'), minLength: 20, maxLength: 120 }),
        fc.string({ unit: fc.constantFrom('a', '-', 'z'), minLength: 20, maxLength: 120 }),
        (branch, project) => {
          const label = labelOf(branch, project)
          expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
          expect(label.split('--')).toHaveLength(2)
        },
      ),
    )
  })
})
