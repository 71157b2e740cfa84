import { styleText } from 'node:util'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'
export type Paint = (style: Style, text: string) => string

interface Sink {
  readonly isTTY?: boolean | undefined
}
type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns true if a stream gets colors. A terminal gets colors, unless `NO_COLOR` (https://no-color.org) or `TERM=dumb`
 * is set. `FORCE_COLOR` overrides both: `0` or `false` turns colors off, any other value on.
 */
export function hasColors(stream: Sink, env: Env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: term } = env
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (no !== undefined && no !== '') return false
  return stream.isTTY === true && term !== 'dumb'
}

/** Disables the check of `styleText`: it inspects stdout even for text that goes to stderr. */
export function createPaint(isOn: boolean): Paint {
  return isOn
    ? (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }))
    : (_, text) => text
}

/** Returns the color for the state of an environment, a node or a check. */
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
