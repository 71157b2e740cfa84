import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { createPaint } from '../terminal/style.ts'
import { createProgress, statusLine } from './progress.ts'

const building = { kind: 'building', environmentId: 7, commitSha: 'abcdef0123' } as const
const starting = { ...building, kind: 'starting' } as const

function shownOn(isTTY: boolean, isVerbose = false) {
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
  progress.say('a line that stays')
  ms = 3_000
  progress.step(starting)
  progress.stop()
  return texts.join('')
}

test('each new step is a line where there is no terminal, and the output is folded', () => {
  expect(shownOn(false)).toBe(`shop/main: queued: position 1 (0.0 s)
shop/main: building abcdef0 (1.5 s)
a line that stays
shop/main: starting abcdef0, waiting until it answers (3.0 s)
`)
})

test('the output is shown whole when it is asked for', () => {
  expect(shownOn(false, true)).toContain('│ compiling\n')
})

test('a terminal has one line that is taken away at the end', () => {
  const shown = shownOn(true)
  expect(shown).toContain('building abcdef0 · 1.5 s · compiling')
  expect(shown).toContain('a line that stays\n')
  expect(shown.endsWith('\r\u001b[K')).toBe(true)
})

test('the line fits into the terminal, and obeys nothing that a build prints', () => {
  const view = { title: 'shop/main', step: building, elapsedMs: 61_000 }
  const lastLine = `\u001b[2J${'x'.repeat(200)}`
  const paint = createPaint(true)
  const line = statusLine({ ...view, lastLine }, { frame: 3, width: 50, paint })
  expect(line).not.toContain('\u001b[2J')
  expect([...stripVTControlCharacters(line)].length).toBeLessThan(50)
})
