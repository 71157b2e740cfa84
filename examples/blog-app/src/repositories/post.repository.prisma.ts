import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { PostRepository } from './post.repository.js'
import {
  assertFound,
  assertKnown,
  containing,
  listingOf,
  pageOf,
  run,
  runOnExisting,
  toSearch,
} from './prisma.js'
import { type Check, maxParts } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  omit: { titleSearch: true, contentSearch: true },
  include: { author: { select: { id: true, name: true } }, tags: { orderBy: { id: 'asc' } } },
} satisfies Prisma.PostDefaultArgs

/** Arguments of a query for a single record, which also includes its parts. */
const detailsArgs = {
  ...recordArgs,
  include: {
    ...recordArgs.include,
    comments: {
      include: { author: { select: { id: true, name: true } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: maxParts,
    },
  },
} satisfies Prisma.PostDefaultArgs

export function createPostRepository({ prisma }: Store): PostRepository {
  const table = prisma.post

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { authorId?: number; tags?: readonly string[] }) {
    await assertFound('user', data.authorId, (where) => prisma.user.count({ where }))
    await assertKnown('tags', data.tags, (slugs) =>
      prisma.tag.findMany({ where: { slug: { in: slugs } }, select: { slug: true } }),
    )
  }

  /** Adds the parts to a record. Counts the parts only if there can be more than the newest ones. */
  async function toDetails(row: Prisma.PostGetPayload<typeof detailsArgs>): Promise<PostDetails> {
    return {
      ...row,
      comments: row.comments.toReversed(),
      commentsTotal:
        row.comments.length < maxParts
          ? row.comments.length
          : await run(prisma.comment.count({ where: { postId: row.id } })),
    }
  }

  /** Locks the record before the check, on every SQL store, so that no other write comes between check and write. */
  async function checked<T>(
    id: number,
    check: Check<Post>,
    write: (table: Prisma.PostDelegate) => PromiseLike<T>,
    turn = 1,
  ): Promise<T> {
    const version = await table.findUnique({ where: { id }, select: { updatedAt: true } })
    if (!version) return write(table)
    const result = await prisma.$transaction(async ({ post: locked }) => {
      // A write of the same time locks the row, unless another write came first. SQL scripts can store a time that
      // equals no Date: later turns do not compare it.
      const where = turn < 10 ? { id, ...version } : { id }
      const { count } = await locked.updateMany({ where, data: version })
      if (count === 0) return undefined
      const row = await locked.findUnique({ where: { id }, ...recordArgs })
      if (row) check(row)
      return { written: await write(locked) }
    })
    return result ? result.written : checked(id, check, write, turn + 1)
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([
          table.findMany({ ...pageOf(query, where), ...recordArgs }),
          table.count({ where }),
        ]),
      )
      return listingOf(query, rows, total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id }, ...detailsArgs }))
      return row ? toDetails(row) : undefined
    },

    async owner(id) {
      const row = await run(table.findUnique({ where: { id }, select: { authorId: true } }))
      return row?.authorId
    },

    async create(data) {
      const row = await run(
        table.create({
          data: {
            ...data,
            titleSearch: toSearch(data.title),
            contentSearch: toSearch(data.content),
            tags: { connect: data.tags.map((slug) => ({ slug })) },
          },
          ...recordArgs,
        }),
        [],
        () => assertReferences(data),
      )
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.PostDelegate) =>
        table.update({
          where: { id },
          data: {
            ...data,
            titleSearch: toSearch(data.title),
            contentSearch: toSearch(data.content),
            tags: data.tags && { set: [], connect: data.tags.map((slug) => ({ slug })) },
          },
          ...recordArgs,
        })
      const row = await runOnExisting(
        check ? checked(id, check, change) : change(table),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async read(id) {
      const data = { views: { increment: 1 } }
      const row = await runOnExisting(table.update({ where: { id }, data, ...detailsArgs }))
      return row && toDetails(row)
    },

    async remove(id, check) {
      const removal = (table: Prisma.PostDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: PostFilter): Prisma.PostWhereInput {
  const text = containing(filter.search)
  return {
    authorId: filter.authorId,
    published: filter.published,
    views: filter.views,
    tags: filter.tag === undefined ? undefined : { some: { slug: filter.tag } },
    OR: text && [{ titleSearch: text }, { contentSearch: text }],
  }
}
