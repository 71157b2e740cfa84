import type { Spellings } from './model.ts'

/** Words as the spellings share them: a capital, then small letters and digits. */
type Words = readonly string[]

/**
 * Splits ASCII letters, digits, `_` and `-` into PascalCase words: `HTTPServer` and `http_server`
 * are both Http, Server. Two neighbouring single letters are one word (`a_b` is Ab), so that every
 * spelling of a name leads back to the same words.
 */
export function splitWords(input: string): Words {
  return split(split(input).join(''))
}

/** Every spelling of the words. */
export function spell(words: Words): Spellings {
  const pascal = words.join('')
  const small = words.map((word) => word.toLowerCase())
  return {
    pascal,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    kebab: small.join('-'),
    snake: small.join('_'),
    words: small.join(' '),
  }
}

function split(input: string): Words {
  const parts = input.match(/[A-Z]{2,}[0-9]*(?![a-z0-9])|[A-Z]?[a-z0-9]+|[A-Z]/g) ?? []
  return parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
}
