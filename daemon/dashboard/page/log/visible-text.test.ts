import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleLine } from './visible-text.ts'

const esc = '\u001b'

describe('the visible text of a line', () => {
  test('is the line itself if it has no control characters', () => {
    expect(visibleLine('plain\ttext 🚀 שלום')).toEqual({ text: 'plain\ttext 🚀 שלום' })
  })

  test('keeps colours apart from the text', () => {
    const raw = `${esc}[1;31mred${esc}[0m plain`
    expect(visibleLine(raw)).toEqual({ text: 'red plain', styled: raw })
    expect(visibleLine('\u009b32mgreen').styled).toBe(`${esc}[32mgreen`)
  })

  test.each([
    ['a title', `${esc}]0;owned\u0007text`],
    ['a hyperlink', `${esc}]8;;https://evil.example${esc}\\text${esc}]8;;${esc}\\`],
    ['a clipboard write', `${esc}]52;c;ZXZpbA==\u0007text`],
    ['a device string', `${esc}P1$r0m${esc}\\text`],
    ['cursor moves', `${esc}[2J${esc}[1;1H${esc}[Ktext${esc}[3A`],
    ['private modes', `${esc}[?1049h${esc}[?25ltext`],
    ['a reset and a character set', `${esc}c${esc}(Btext`],
    ['an 8-bit string', '\u009d0;owned\u009ctext'],
    ['a colour in colon form', `${esc}[38:2::1:2:3mtext`],
  ])('drops %s', (_name, raw) => {
    expect(visibleLine(raw)).toEqual({ text: 'text' })
  })

  test('shows an unterminated string sequence as text, so that it hides nothing', () => {
    expect(visibleLine(`${esc}]0;the rest of the line`).text).toBe('␛]0;the rest of the line')
    expect(visibleLine(`a${esc}`).text).toBe('a␛')
    expect(visibleLine(`a${esc}[31`).text).toBe('a␛[31')
  })

  test('shows control characters, line breaks and direction overrides as symbols', () => {
    expect(visibleLine('10%\r20%\u0008\u0000\u007f\u0085').text).toBe('10%␍20%␈␀␡\\u0085')
    expect(visibleLine('a\u202eb\u2066c\u2028d').text).toBe('a\\u202eb\\u2066c\\u2028d')
  })

  test('never has a control character or a direction override, whatever the line is', () => {
    const piece = fc.oneof(
      fc.constantFrom(esc, `${esc}[`, `${esc}]`, '\u009b', '\u0007', ';', '3', 'm', '\\', '\u202e'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { text, styled } = visibleLine(pieces.join(''))
        expect(text).not.toMatch(/(?!\t)[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
        const withoutColours = styled?.split(new RegExp(`${esc}\\[[\\d;]*m`)).join('') ?? text
        expect(withoutColours).toBe(text)
      }),
    )
  })
})
