import { AppError } from './app-error.js'

/** In UTF-16 code units, like the limit of a slug in a body. */
const maxLength = 255

/**
 * Returns the name's form for URLs: `Node.js & Express!` becomes `node-js-express`. Letters keep their combining marks, as in
 * `हिन्दी`. Throws AppError `invalid` if the name has no letters or digits.
 */
export function slugOf(name: string): string {
  const slug = name
    .normalize()
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, maxLength) // lower case can be longer than the name
    .replace(/[-\p{Surrogate}]+$/u, '')
  if (/[\p{Letter}\p{Number}]/u.test(slug)) return slug
  const details = [
    { path: 'slug', message: 'is required, because the name has no letters or digits' },
  ]
  throw new AppError('invalid', 'validation failed', { details })
}
