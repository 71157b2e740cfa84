import { ClientError } from '../errors/client-error.ts'

/** Parses the whole number of an option, from 1 to `max`. Throws ClientError. */
export function parseCount(option: string, text: string, max: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= max) return count
  throw new ClientError(
    `invalid ${option} ${JSON.stringify(text)}: expected a whole number from 1 to ${max}`,
  )
}

/** Parses an id argument; `what` names it in the error, for example `token id`. Throws ClientError. */
export function parseId(what: string, text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new ClientError(`invalid ${what} ${JSON.stringify(text)}: expected a positive number`)
}

/** Splits a comma-separated list, trims its items and drops empty ones. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
