import { describe, expect, test } from 'vitest'
import { failureLine, isTemporaryFailure } from './failure-line.ts'

describe('the failure line', () => {
  test.each([
    ['', undefined],
    ['\n\n---\n', undefined],
    ['all fine\nlast words\n', 'last words'],
    [
      'src/a.ts(3,1): error TS2304: Cannot find name x.\n\nnpm error Lifecycle script `build` failed with error:\nnpm error code 2\nnpm error path /x\nnpm error A complete log of this run can be found in: /x\n',
      'src/a.ts(3,1): error TS2304: Cannot find name x.',
    ],
    [
      'npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.\nnpm error\nnpm error Missing: ms@2.1.3 from lock file\n',
      '`npm ci` can only install packages when your package.json and package-lock.json are in sync.',
    ],
    [
      'npm error code E404\nnpm error 404 Not Found - GET https://registry.example/x - Not found\n',
      '404 Not Found - GET https://registry.example/x - Not found',
    ],
    [
      "node:internal/modules/cjs/loader:1\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at Function (a.js:1:1)\n  code: 'MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n",
      "Error: Cannot find module 'x'",
    ],
    ['\u001b[31mError:\u001b[0m it broke\rprogress', 'Error: it broke'],
  ])('of the output %j is %j', (output, line) => {
    expect(failureLine(output)).toBe(line)
  })

  test('has at most 300 characters', () => {
    expect(failureLine('x'.repeat(5000))).toHaveLength(300)
  })
})

test('network errors count as temporary failures, and errors of the project do not', () => {
  for (const code of ['EAI_AGAIN', 'ETIMEDOUT', 'E503', 'ECONNREFUSED']) {
    expect(isTemporaryFailure(`npm error code ${code}\n`), code).toBe(true)
  }
  for (const code of ['E404', 'E401', 'EUSAGE', 'ERESOLVE', '1']) {
    expect(isTemporaryFailure(`npm error code ${code}\n`), code).toBe(false)
  }
})

test('the first error of the Go compiler is the cause', () => {
  const output = '# x\n./main.go:4:2: undefined: serve\n./main.go:9:2: too many errors\n'
  expect(failureLine(output)).toBe('./main.go:4:2: undefined: serve')
})

test.each([
  'ERROR: HTTPSConnectionPool: Failed to establish a new connection: [Errno 111]',
  'go: x: Get "https://proxy": dial tcp: lookup proxy: i/o timeout',
])('the network failure %j is temporary', (output) => {
  expect(isTemporaryFailure(output)).toBe(true)
})
