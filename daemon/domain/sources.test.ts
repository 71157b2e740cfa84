import { expect, test } from 'vitest'
import { contextPath, projectName } from './sources.ts'

test.each([
  ['', ''],
  ['.', ''],
  ['apps/web', 'apps/web'],
  ['./apps//web/', 'apps/web'],
  ['..a/b..', '..a/b..'],
  ['/etc', undefined],
  ['a/../b', undefined],
  ['..', undefined],
  ['a\\..\\b', undefined],
  ['a\0b', undefined],
  ['.git', undefined],
  ['x/.GIT/hooks', undefined],
])('contextPath(%j) is %j', (text, path) => {
  expect(contextPath(text)).toBe(path)
})

test.each([
  ['https://example.com/team/shop.git', '', 'shop'],
  ['ssh://git@example.com/team/Shop', 'apps/web', 'Shop-web'],
  ['/srv/repos/shop.git/', '', 'shop'],
  ['/', '', 'app'],
])('projectName(%j, %j) is %s', (source, context, name) => {
  expect(projectName(source, context)).toBe(name)
})
