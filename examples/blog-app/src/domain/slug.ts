import { AppError } from './app-error.js'

/** What a name is called in a URL: `Node.js & Express!` is `node-js-express`. Throws AppError `invalid`. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replace(/^-|-$/g, '')
  if (slug !== '') return slug
  const details = [{ path: 'slug', message: 'is required, as none can be made from the name' }]
  throw new AppError('invalid', 'validation failed', { details })
}
