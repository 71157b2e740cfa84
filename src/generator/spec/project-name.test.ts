import { describe, expect, test } from 'vitest'
import { parseModuleName, parseProjectName } from './project-name.ts'

describe('parseProjectName', () => {
  test.each(['shop', 'my-shop', 'shop2', '2shop', 'my.shop', 'a_b', 'x'])('accepts %s', (input) => {
    expect(parseProjectName(input)).toBe(input)
  })

  test.each([
    ['', 'it is empty, try "my-shop"'],
    ['.', 'a name is not a path, try "my-shop"'],
    ['..', 'a name is not a path, try "my-shop"'],
    ['../shop', '(the project is created in the current folder), try "shop"'],
    ['a/b', '(the project is created in the current folder), try "b"'],
    ['C:\\shop', '(the project is created in the current folder), try "shop"'],
    ['@acme/shop', 'a scope belongs to --module, try "shop"'],
    ['My Shop', `it can't contain spaces, try "my-shop"`],
    [' shop', `it can't contain spaces, try "shop"`],
    ['Shop', 'name can no longer contain capital letters, try "shop"'],
    ['.shop', 'name cannot start with a period, try "shop"'],
    ['_shop', 'name cannot start with an underscore, try "shop"'],
    ['-shop', 'it would be read as an option, try "shop"'],
    ['shop.', 'Windows does not allow such a folder, try "shop"'],
    ['nul', 'Windows does not allow such a folder, try "my-nul"'],
    ['http', 'http is a core module name, try "my-http"'],
    ['node_modules', 'node_modules is not a valid package name, try "my-node_modules"'],
    ['shop!', 'name can no longer contain special characters'],
    ['caf\u00e9', 'name can only contain URL-friendly characters, try "caf"'],
    ['a'.repeat(215), 'name can no longer contain more than 214 characters, try "my-shop"'],
  ])('refuses %j', (input, message) => {
    expect(() => parseProjectName(input)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: expect.stringContaining(message),
        place: { input, start: 0, length: input.length },
      }),
    )
  })
})

describe('parseModuleName', () => {
  test.each(['shop', '@acme/shop', '@a-b/c.d'])('accepts %s', (input) => {
    expect(parseModuleName(input)).toBe(input)
  })

  test.each([
    ['example.com/acme/shop', 'try "@acme/shop"'],
    ['@Acme/Shop', 'try "@acme/shop"'],
    ['@acme/', 'try "my-shop"'],
    ['@/shop', 'try "shop"'],
    ['@acme/.shop', 'try "@acme/shop"'],
    ['http', 'http is a core module name, try "my-http"'],
    ['a b', `it can't contain spaces, try "a-b"`],
  ])('refuses %j', (input, message) => {
    expect(() => parseModuleName(input)).toThrow(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(message) }),
    )
  })
})
