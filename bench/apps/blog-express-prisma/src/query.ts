import type { Request } from 'express'
import { HttpError } from './http-error.js'

type Query = Request['query']

export function text(query: Query, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw new HttpError(400, `${name} must be given once`)
}

export function whole(query: Query, name: string, max?: number): number | undefined {
  const value = text(query, name)
  return value === undefined ? undefined : parseWhole(value, name, max)
}

export function flag(query: Query, name: string): boolean | undefined {
  const value = text(query, name)
  if (value === undefined) return undefined
  if (value === 'true') return true
  if (value === 'false') return false
  throw new HttpError(400, `${name} must be true or false`)
}

export function parseWhole(value: string, name: string, max = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > max) {
    throw new HttpError(400, `${name} must be a whole number from 1 to ${max}`)
  }
  return number
}
