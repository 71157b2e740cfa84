import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createPaint } from '../terminal/style.ts'
import { createProgress, statusLine } from './progress.ts'

const building = { kind: 'building', environmentId: 7, commitSha: 'abcdef0123' } as const
const starting = { ...building, kind: 'starting' } as const

function renderOn(isTTY: boolean, isVerbose = false) {
  const texts: string[] = []
  let ms = 0
  const progress = createProgress({
    title: 'shop/main',
    screen: { isTTY, columns: 60, write: (text) => texts.push(text) },
    paint: createPaint(false),
    isVerbose,
    now: () => ms,
  })
  progress.step({ kind: 'queued', position: 1 })
  ms = 1_500
  progress.step(building)
  progress.output('compiling')
  progress.output('npm warn deprecated something')
  progress.step(building)
  progress.say('a permanent line')
  ms = 3_000
  progress.step(starting)
  progress.stop()
  return texts.join('')
}

test('without a terminal, each step prints one line and build output is hidden', () => {
  expect(renderOn(false)).toBe(`shop/main: queued: position 1 (0.0 s)
shop/main: building abcdef0 (1.5 s)
a permanent line
shop/main: starting abcdef0, waiting for a healthy answer (3.0 s)
`)
})

test('isVerbose prints every line of the build', () => {
  expect(renderOn(false, true)).toContain('│ compiling\n')
})

test('on a terminal, the status line is erased at the end', () => {
  const shown = renderOn(true)
  expect(shown).toContain('building abcdef0 · 1.5 s · compiling')
  expect(shown).toContain('a permanent line\n')
  expect(shown.endsWith('\r\u001b[K')).toBe(true)
})

test('the status line fits the terminal and strips control sequences of the build', () => {
  const view = { title: 'shop/main', step: building, elapsedMs: 61_000 }
  const lastLine = `\u001b[2J${'x'.repeat(200)}`
  const paint = createPaint(true)
  const line = statusLine({ ...view, lastLine }, { frame: 3, width: 50, paint })
  expect(line).not.toContain('\u001b[2J')
  expect([...stripVTControlCharacters(line)].length).toBeLessThan(50)
})
