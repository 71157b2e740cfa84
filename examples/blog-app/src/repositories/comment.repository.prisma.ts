import type { Comment, CommentFilter } from '../domain/comment.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CommentRepository } from './comment.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: {
    post: { select: { id: true, title: true } },
    author: { select: { id: true, name: true } },
  },
} satisfies Prisma.CommentDefaultArgs

export function createCommentRepository({ prisma }: Store): CommentRepository {
  const table = prisma.comment

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { postId?: number; authorId?: number }) {
    await assertFound('post', data.postId, (where) => prisma.post.count({ where }))
    await assertFound('user', data.authorId, (where) => prisma.user.count({ where }))
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Comment>,
    write: (table: Prisma.CommentDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ comment: locked }) => {
      const row = await locked.findUnique({ where: { id }, ...recordArgs })
      if (row) check(row)
      return write(locked)
    })
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
      const row = await run(table.findUnique({ where: { id }, ...recordArgs }))
      return row ?? undefined
    },

    async owner(id) {
      const row = await run(table.findUnique({ where: { id }, select: { authorId: true } }))
      return row?.authorId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.CommentDelegate) =>
        table.update({ where: { id }, data, ...recordArgs })
      const row = await runOnExisting(
        check ? checked(id, check, change) : change(table),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.CommentDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: CommentFilter): Prisma.CommentWhereInput {
  return {
    postId: filter.postId,
    authorId: filter.authorId,
  }
}
