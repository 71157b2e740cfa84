import { StrataError } from '../errors.ts'
import { type StoreKind, storeKinds } from '../model/store-kinds.ts'
import { didYouMean } from './nearest.ts'

/**
 * Reads a store kind. `available` lists the kinds that this version supports. Throws `usage` with the
 * nearest kind for an unknown word, and with the supported kinds for an unsupported one.
 */
export function parseStoreKind(input: string, available: readonly StoreKind[]): StoreKind {
  const kind = storeKinds.find((known) => known === input)
  if (kind !== undefined && available.includes(kind)) return kind
  const message =
    kind === undefined
      ? `unknown store kind ${JSON.stringify(input)}:${didYouMean(input, storeKinds)} the kinds are ${available.join(', ')}`
      : `the store kind ${kind} is not available yet: the available kinds are ${available.join(', ')}`
  throw new StrataError('usage', message, { place: { input, start: 0, length: input.length } })
}
