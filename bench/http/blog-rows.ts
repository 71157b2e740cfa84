/** The rows of a blog, identical in every run. */
export interface BlogRows {
  readonly users: readonly User[]
  readonly tags: readonly Tag[]
  readonly posts: readonly Post[]
  readonly comments: readonly Comment[]
}

interface Stamped {
  readonly id: number
  /** ISO 8601, UTC. */
  readonly at: string
}

export interface User extends Stamped {
  readonly name: string
}

export interface Tag extends Stamped {
  readonly name: string
  readonly slug: string
}

export interface Post extends Stamped {
  readonly title: string
  readonly content: string
  readonly authorId: number
  readonly published: boolean
  readonly views: number
  /** Ascending. */
  readonly tagIds: readonly number[]
}

export interface Comment extends Stamped {
  readonly postId: number
  readonly authorId: number
  readonly content: string
}

/** Occurs in the title of posts 40, 80, …, and in the content of posts 20, 60, …. */
export const rareWord = 'Lantern'

const userCount = 50
const tagCount = 30

/** Returns 50 users, 30 tags, and `posts` posts with two or three tags and up to three comments each. */
export function blogRows(posts: number): BlogRows {
  return {
    users: ids(userCount).map((id) => ({ id, at: time(id), name: `Ada ${id}` })),
    tags: ids(tagCount).map((id) => ({ id, at: time(id), name: `Tag ${id}`, slug: `tag-${id}` })),
    posts: ids(posts).map(post),
    comments: ids(posts)
      .flatMap((postId) => Array.from({ length: postId % 4 }, (_, n) => ({ postId, n })))
      .map(({ postId, n }, index) => ({
        id: index + 1,
        at: time(posts + index),
        postId,
        authorId: 1 + ((postId + 7 * n) % userCount),
        content: `${sentence(postId + n)} ${n}`,
      })),
  }
}

function post(id: number): Post {
  // The factors are coprime to the counts, so every author gets every tag and flag.
  const second = 1 + ((id * 7 + 3) % tagCount)
  const tags = [
    1 + (id % tagCount),
    second,
    ...(id % 2 === 0 ? [1 + ((id * 11 + 5) % tagCount)] : []),
  ]
  return {
    id,
    // Two posts share each time, so that the id has to break ties.
    at: time(Math.floor(id / 2)),
    title: `${sentence(id)}${id % 40 === 0 ? ` ${rareWord}` : ''}`,
    content: [1, 2, 3, 4, 5, 6]
      .map((n) => `${sentence(id * n)}${n === 4 && id % 40 === 20 ? ` ${rareWord}` : ''}.`)
      .join(' '),
    authorId: 1 + ((id * 13) % userCount),
    published: id % 3 !== 0,
    views: id % 1_000,
    tagIds: [...new Set(tags)].sort((a, b) => a - b),
  }
}

const words = 'river stone cloud amber field night paper glass copper willow harbor signal'.split(
  ' ',
)

function sentence(n: number): string {
  const at = (k: number) => words[(n * (2 * k + 1) + k) % words.length]
  return `On the ${[0, 1, 2, 3, 4, 5, 6].map(at).join(' ')}`
}

const firstMs = Date.parse('2026-01-01T00:00:00.000Z')

function time(minute: number): string {
  return new Date(firstMs + minute * 60_000).toISOString()
}

function ids(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
