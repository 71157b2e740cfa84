import { expect, test } from 'vitest'
import { browserCommand } from './open.ts'

test('browserCommand takes the first browser of BROWSER, with its arguments', () => {
  expect(browserCommand({ BROWSER: 'firefox --new-tab %s:links' }, 'linux')).toEqual([
    'firefox',
    '--new-tab',
  ])
})

test('browserCommand falls back to the program of the desktop', () => {
  expect(browserCommand({}, 'linux')).toEqual(['xdg-open'])
  expect(browserCommand({ BROWSER: '' }, 'darwin')).toEqual(['open'])
})
