/** A line of output in two forms. */
export interface VisibleLine {
  /** The text to show, search and copy: no escape sequences, control characters as symbols. */
  readonly text: string
  /** The same text with its colour sequences (SGR), if the line has any. */
  readonly styled?: string
}

const esc = '\u001b'
const string = '[\\]PX^_]'
const stringEnd = `(?:\u0007|${esc}\\\\|\u009c)`

/** Matches the characters that need a rewrite. Most lines have none. */
const special = /(?!\t)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u
const sequences = new RegExp(
  [
    // A string sequence: a title, a hyperlink, a clipboard write. Unterminated ones stay as text.
    `(?:${esc}${string}|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*${stringEnd}`,
    `(?:${esc}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${esc}[ -/]+[0-~]`,
    `${esc}[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'g',
)
const colour = new RegExp(`^(?:${esc}\\[|\u009b)([\\d;]*)m$`)
const colours = new RegExp(`${esc}\\[[\\d;]*m`, 'g')
const specials = new RegExp(`${esc}(?!\\[[\\d;]*m)|${special.source}`, 'gu')

/**
 * Removes every escape sequence but colours from a line, and shows other control characters as symbols, so that output
 * cannot hide, reorder or overwrite text.
 */
export function visibleLine(raw: string): VisibleLine {
  if (!special.test(raw)) return { text: raw }
  const styled = raw
    .replace(sequences, (sequence) => {
      const codes = colour.exec(sequence)?.[1]
      return codes === undefined ? '' : `${esc}[${codes}m`
    })
    .replace(specials, (character, at: number, whole: string) =>
      character === esc && isColourAt(whole, at) ? character : symbolOf(character),
    )
  const text = styled.replace(colours, '')
  return text === styled ? { text } : { text, styled }
}

function isColourAt(text: string, at: number): boolean {
  colours.lastIndex = at
  return colours.exec(text)?.index === at
}

function symbolOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `\\u${code.toString(16).padStart(4, '0')}`
}
