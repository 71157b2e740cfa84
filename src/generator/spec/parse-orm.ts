import { StrataError } from '../errors.ts'
import type { Model } from '../model/model.ts'
import { ormKinds, orms, type StoreKind } from '../model/store-kinds.ts'
import { didYouMean } from './nearest.ts'

/**
 * Reads the query library of a project. Returns undefined for the default. Throws `usage` for an unknown library, and for
 * a library that the store kind does not support.
 */
export function parseOrm(input: string | undefined, kind: StoreKind): Model['orm'] {
  if (input === undefined) return undefined
  const orm = orms.find((known) => known === input)
  if (orm === undefined)
    throw refusal(
      input,
      `unknown query library ${JSON.stringify(input)}:${didYouMean(input, orms)} the libraries are ${orms.join(' and ')}`,
    )
  const kinds = ormKinds[orm]
  if (!kinds.includes(kind))
    throw refusal(
      input,
      `${orm} is available for ${listOf(kinds)}, not for ${kind}${adviceFor(kind)}`,
    )
  return orm === 'prisma' ? undefined : orm
}

function adviceFor(kind: StoreKind): string {
  return ormKinds.prisma.includes(kind) ? ': use prisma' : ''
}

function refusal(input: string, message: string): StrataError {
  return new StrataError('usage', message, { place: { input, start: 0, length: input.length } })
}

function listOf(kinds: readonly StoreKind[]): string {
  return `${kinds.slice(0, -1).join(', ')} and ${kinds.at(-1)}`
}
