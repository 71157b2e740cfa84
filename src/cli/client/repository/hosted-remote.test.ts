import { expect, test } from 'vitest'
import { hostedNameFrom, hostedNameIn, hostedUrl } from './hosted-remote.ts'

const url = 'https://strata.example.com/deploys'

test('hostedNameIn finds the name in the URL of the same daemon only', () => {
  expect(hostedNameIn(hostedUrl(url, 'shop'), url)).toBe('shop')
  expect(hostedNameIn(`${url}/git/shop`, url)).toBe('shop')
  for (const text of [
    'https://strata.example.com/git/shop.git',
    'https://strata.example.com.evil.example/deploys/git/shop.git',
    `${url}/git/team/shop.git`,
    `${url}/git/.git`,
    'git@strata.example.com:git/shop.git',
  ]) {
    expect(hostedNameIn(text, url), text).toBeUndefined()
  }
})

test('hostedNameFrom makes a valid name of any folder', () => {
  expect(hostedNameFrom('My Shop')).toBe('my-shop')
  expect(hostedNameFrom('shop.git')).toBe('shop')
  expect(hostedNameFrom('_a..b_')).toBe('a.b')
  expect(hostedNameFrom('店')).toBe('app')
  expect(hostedNameFrom('x'.repeat(100))).toHaveLength(63)
})
