import type { Identifier } from 'ts-morph'
import { variableName } from '../model/identifiers.ts'
import { declarationsOf, identifiersIn } from './declarations.ts'
import type { FunctionNode } from './functions.ts'
import type { ResolvedName } from './name-use.ts'

/**
 * Removes the underscore that marks a parameter as unused. Returns the new name and the edits of all its
 * occurrences, or the old name if it has no underscore or the new name is taken.
 */
export function withoutUnderscore(name: Identifier, fn: FunctionNode): ResolvedName {
  const given = name.getText()
  const plain = given.replace(/^_(?=[a-z])/i, '')
  if (plain === given || !isFree(plain, fn)) return { name: given, edits: [] }
  const places = name
    .getProject()
    .getLanguageService()
    .findRenameLocations(name, { usePrefixAndSuffixText: true })
  const edits = places.map((place) => ({
    start: place.getTextSpan().getStart(),
    end: place.getTextSpan().getEnd(),
    text: (place.getPrefixText() ?? '') + plain + (place.getSuffixText() ?? ''),
  }))
  return { name: plain, edits }
}

function isFree(name: string, fn: FunctionNode): boolean {
  const isTaken = identifiersIn(fn).some((each) => each.getText() === name)
  return variableName(name) === name && !isTaken && !declarationsOf(name, fn)
}
