import { AppError } from './app-error.js'

/**
 * Returns the name's form for URLs: `Node.js & Express!` becomes `node-js-express`. Throws AppError `invalid` if the
 * name has no letters or digits.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '')
  if (slug !== '') return slug
  const details = [
    { path: 'slug', message: 'is required, because the name has no letters or digits' },
  ]
  throw new AppError('invalid', 'validation failed', { details })
}
