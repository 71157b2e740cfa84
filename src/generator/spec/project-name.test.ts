import { describe, expect, test } from 'vitest'
import { parseModuleName, parseProjectName } from './project-name.ts'

describe('a project name', () => {
  test.each(['shop', 'my-shop', 'shop2', '2shop', 'my.shop', 'a_b', 'x'])('may be %s', (input) => {
    expect(parseProjectName(input)).toBe(input)
  })

  test.each([
    ['', 'it is empty, try "my-shop"'],
    ['.', 'a name is not a path, try "my-shop"'],
    ['..', 'a name is not a path, try "my-shop"'],
    ['../shop', 'the project is made in the current folder, try "shop"'],
    ['a/b', 'the project is made in the current folder, try "b"'],
    ['C:\\shop', 'the project is made in the current folder, try "shop"'],
    ['@acme/shop', 'a scope belongs to --module, try "shop"'],
    ['My Shop', 'it can have no spaces, try "my-shop"'],
    [' shop', 'it can have no spaces, try "shop"'],
    ['Shop', 'name can no longer contain capital letters, try "shop"'],
    ['.shop', 'name cannot start with a period, try "shop"'],
    ['_shop', 'name cannot start with an underscore, try "shop"'],
    ['-shop', 'it would be read as an option, try "shop"'],
    ['shop.', 'Windows has no such folder, try "shop"'],
    ['nul', 'Windows has no such folder, try "my-nul"'],
    ['http', 'http is a core module name, try "my-http"'],
    ['node_modules', 'node_modules is not a valid package name, try "my-node_modules"'],
    ['shop!', 'name can no longer contain special characters'],
    ['caf\u00e9', 'name can only contain URL-friendly characters, try "caf"'],
    ['a'.repeat(215), 'name can no longer contain more than 214 characters, try "my-shop"'],
  ])('may not be %j', (input, message) => {
    expect(() => parseProjectName(input)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: expect.stringContaining(message),
        place: { input, start: 0, length: input.length },
      }),
    )
  })
})

describe('a module name', () => {
  test.each(['shop', '@acme/shop', '@a-b/c.d'])('may be %s', (input) => {
    expect(parseModuleName(input)).toBe(input)
  })

  test.each([
    ['example.com/acme/shop', 'try "@acme/shop"'],
    ['@Acme/Shop', 'try "@acme/shop"'],
    ['@acme/', 'try "my-shop"'],
    ['@/shop', 'try "shop"'],
    ['@acme/.shop', 'try "@acme/shop"'],
    ['http', 'http is a core module name, try "my-http"'],
    ['a b', 'it can have no spaces, try "a-b"'],
  ])('may not be %j', (input, message) => {
    expect(() => parseModuleName(input)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    )
  })
})
