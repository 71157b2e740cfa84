/** Shows control characters as pictures: they could hide or reorder the text. */
export function visible(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\uFFFD'
  })
}

/** C0 and C1 controls, and the marks that change the direction of the text after them. */
const hidden = /[\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu
