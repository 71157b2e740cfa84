import type { BlogPostApi } from '../../client/blog-post.api.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function blogPostSample(n: number): BlogPostApi['create'] {
  return {
    title: `title ${n}`,
    slug: `slug ${n}`,
    body: `body ${n}`.padEnd(10, 'x'),
    summary: `summary ${n}`,
    pinned: n % 2 === 0,
    featured: n % 2 === 0,
    reading_minutes: 1 + n,
    score: n,
    rating: (n % 11) * 0.5,
    price: (n / 100).toFixed(2),
    discount: (n / 100).toFixed(3),
    status: 'draft',
    mood: 'good',
  }
}

/** An invalid value for each field. */
export const badBlogPostFields = {
  title: 1,
  slug: 1,
  body: 1,
  summary: 1,
  pinned: 'neither',
  featured: 'neither',
  reading_minutes: 1.5,
  score: 1.5,
  rating: 'neither',
  price: 'no such value',
  discount: 'no such value',
  status: 'no such value',
  mood: 'no such value',
}
