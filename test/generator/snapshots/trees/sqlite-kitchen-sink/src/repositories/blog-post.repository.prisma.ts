import type { BlogPost, BlogPostFilter } from '../domain/blog-post.js'
import type { Prisma, BlogPost as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { BlogPostRepository } from './blog-post.repository.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

/** Columns with a unique constraint. */
const unique = ['slug']

export function createBlogPostRepository({ prisma }: Store): BlogPostRepository {
  const table = prisma.blogPost

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<BlogPost>,
    write: (table: Prisma.BlogPostDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ blogPost: locked }) => {
      const row = await locked.findUnique({ where: { id } })
      if (row) check(toDomain(row))
      return write(locked)
    })
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([table.findMany({ ...pageOf(query, where) }), table.count({ where })]),
      )
      return listingOf(query, rows.map(toDomain), total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id } }))
      return row ? toDomain(row) : undefined
    },

    async create(data) {
      const row = await run(table.create({ data }), unique)
      return toDomain(row)
    },

    async update(id, data, check) {
      const change = (table: Prisma.BlogPostDelegate) => table.update({ where: { id }, data })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table), unique)
      return row && toDomain(row)
    },

    async remove(id, check) {
      const removal = (table: Prisma.BlogPostDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: BlogPostFilter): Prisma.BlogPostWhereInput {
  return {
    pinned: filter.pinned,
    featured: filter.featured,
    status: filter.status,
    mood: filter.mood,
    readingMinutes: filter.readingMinutes,
    score: filter.score,
    rating: filter.rating,
    price: filter.price,
    discount: filter.discount,
  }
}

function toDomain(row: Row): BlogPost {
  return {
    ...row,
    price: row.price.toFixed(2),
    discount: row.discount?.toFixed(3) ?? null,
    status: row.status as BlogPost['status'],
    mood: row.mood as BlogPost['mood'],
  }
}
