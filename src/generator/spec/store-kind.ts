import { StrataError } from '../errors.ts'
import { type StoreKind, storeKinds } from '../model/model.ts'
import { didYouMean } from './nearest.ts'

/**
 * Reads a store kind, `available` being those that work today. Throws `usage` with the nearest kind
 * for another word, and with the kinds that work for one that does not yet.
 */
export function parseStoreKind(input: string, available: readonly StoreKind[]): StoreKind {
  const kind = storeKinds.find((known) => known === input)
  if (kind !== undefined && available.includes(kind)) return kind
  const message =
    kind === undefined
      ? `unknown store kind ${JSON.stringify(input)}:${didYouMean(input, storeKinds)} the kinds are ${available.join(', ')}`
      : `the store kind ${kind} is not available yet: the kinds that work are ${available.join(', ')}`
  throw new StrataError('usage', message, { place: { input, start: 0, length: input.length } })
}
