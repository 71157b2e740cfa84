import { expect, test } from 'vitest'
import { segmentsOf } from './ansi-segments.ts'
import { visibleLine } from './visible-text.ts'

const esc = '\u001b'
const segments = (raw: string) => segmentsOf(visibleLine(raw))
const classOf = (codes: string) => segments(`${esc}[${codes}mx`)[0]?.className

test('a line without colours is one segment', () => {
  expect(segments('a <b> & c')).toEqual([{ text: 'a <b> & c', className: '' }])
})

test('colours and decorations become segments with classes', () => {
  expect(segments(`pre ${esc}[1;31mred${esc}[22;39m post ${esc}[4mline${esc}[0m`)).toEqual([
    { text: 'pre ', className: '' },
    { text: 'red', className: 'log-red log-bold' },
    { text: ' post ', className: '' },
    { text: 'line', className: 'log-underline' },
  ])
})

test.each([
  ['30', ''],
  ['97', ''],
  ['90', 'log-grey'],
  ['2', 'log-grey'],
  ['92', 'log-green'],
  ['41', 'log-on-red'],
  ['31;44', 'log-on-blue'],
  ['40;97', 'log-on-grey'],
  ['7', 'log-on-grey'],
  ['36;7', 'log-on-cyan'],
  ['8', ''],
  ['5', ''],
  ['38;5;208', 'log-yellow'],
  ['38;5;196', 'log-red'],
  ['38;5;244', 'log-grey'],
  ['38;2;40;120;255', 'log-blue'],
  ['38;2;255;255;255', ''],
  ['48;2;255;0;255', 'log-on-magenta'],
])('the codes %s become the classes "%s"', (codes, className) => {
  expect(classOf(codes)).toBe(className)
})

test('hidden and overlong styles change no text', () => {
  const raw = `${esc}[8mhidden${esc}[28m ${esc}[${'1;'.repeat(500)}mbold`
  expect(segments(raw).map(({ text }) => text)).toEqual(['hidden', ' ', 'bold'])
})
