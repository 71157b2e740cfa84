import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (style: Style, text: string) => string

interface Sink {
  readonly isTTY?: boolean | undefined
}
type Env = Readonly<Record<string, string | undefined>>

/**
 * Whether a stream gets colours: a terminal does. `NO_COLOR` (https://no-color.org) and a terminal called `dumb` turn
 * them off, `FORCE_COLOR` turns them on anywhere and `FORCE_COLOR=0` off. Of the two, FORCE_COLOR wins.
 */
export function hasColours(stream: Sink, env: Env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  return stream.isTTY === true && term !== 'dumb'
}

/** Whether there are colours is decided here: `styleText` would look at stdout for stderr too. */
export function createPaint(isOn: boolean): Paint {
  return isOn
    ? (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }))
    : (_, text) => text
}

/** The colour that a state of an environment, a node or a check is shown in. */
export function styleOf(state: string): Style {
  return styles[state] ?? 'dim'
}

const styles: Readonly<Record<string, Style>> = {
  running: 'green',
  active: 'green',
  ok: 'green',
  building: 'cyan',
  waiting: 'cyan',
  paused: 'yellow',
  hibernating: 'yellow',
  draining: 'yellow',
  warn: 'yellow',
  build_failed: 'red',
  down: 'red',
  fail: 'red',
}
