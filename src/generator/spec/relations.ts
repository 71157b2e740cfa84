import { fault, type Span } from './span.ts'

/** The words of the grammar that relate entities. As a type: `many(Entity)`; the rest follow one. */
export const relationWords = ['fk', 'many', 'cascade'] as const

export function isRelationWord(word: string): boolean {
  return relationWords.some((known) => known === word)
}

/** The one place that refuses relations until they exist. */
export function refuseRelation(span: Span, word: string): never {
  throw fault(span, `relations are not available yet: leave out ${word}`)
}
