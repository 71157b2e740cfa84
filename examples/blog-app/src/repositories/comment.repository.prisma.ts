import type { CommentFilter } from '../domain/comment.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CommentRepository } from './comment.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'

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

    async update(id, data) {
      const row = await runOnExisting(
        table.update({ where: { id }, data, ...recordArgs }),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
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
