import type { Spellings } from './model.ts'

/** Words of a name, each an uppercase letter followed by lowercase letters and digits. */
type Words = readonly string[]

/**
 * Splits ASCII letters, digits, `_` and `-` into PascalCase words: `HTTPServer` and `http_server`
 * are both Http, Server. Adjacent single letters become one word (`a_b` is Ab), so that every spelling
 * of a name gives the same words.
 */
export function splitWords(input: string): Words {
  return split(split(input).join(''))
}

/** Returns every spelling of the words. */
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
