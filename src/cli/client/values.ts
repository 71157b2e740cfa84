import { ClientError } from './client-error.ts'

/** A whole number of an option, from 1 to `most`. Throws ClientError. */
export function parseCount(option: string, text: string, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= most) return count
  throw new ClientError(`${option} must be a whole number from 1 to ${most}, not ${text}`)
}

/** The id of something, as a command is given it. Throws ClientError. */
export function parseId(what: string, text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new ClientError(`${what} must be a number, not ${text}`)
}

/** Texts between commas; an empty text is an empty list. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
