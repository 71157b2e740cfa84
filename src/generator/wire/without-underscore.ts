import type { Identifier } from 'ts-morph'
import { variableName } from '../model/identifiers.ts'
import type { FunctionNode } from './functions.ts'
import type { Found } from './name-use.ts'
import { declarationsOf, namesIn } from './scope.ts'

/**
 * A parameter's name without the underscore that marks it unused, and the edits that rename it
 * wherever it stands; its name as it is where it has none or the other is taken.
 */
export function withoutUnderscore(name: Identifier, fn: FunctionNode): Found {
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
  const isTaken = namesIn(fn).some((each) => each.getText() === name)
  return variableName(name) === name && !isTaken && !declarationsOf(name, fn)
}
