import { Router } from 'express'
import { Prisma } from './generated/prisma/client.js'
import { HttpError } from './http-error.js'
import { prisma } from './prisma.js'
import { flag, parseWhole, text, whole } from './query.js'

export const posts = Router()

const author = { select: { id: true, name: true } }

posts.get('/', async (req, res) => {
  const page = whole(req.query, 'page') ?? 1
  const page_size = whole(req.query, 'page_size', 100) ?? 20
  const published = flag(req.query, 'published')
  const author_id = whole(req.query, 'author_id')
  const tag = text(req.query, 'tag')
  const search = text(req.query, 'search')

  const where: Prisma.PostWhereInput = {}
  if (published !== undefined) where.published = published
  if (author_id !== undefined) where.author_id = author_id
  if (tag) where.tags = { some: { slug: tag } }
  if (search) where.OR = [{ title: { contains: search } }, { content: { contains: search } }]

  const [list, total] = await Promise.all([
    prisma.post.findMany({
      where,
      include: { author, tags: true },
      orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * page_size,
      take: page_size,
    }),
    prisma.post.count({ where }),
  ])
  res.json({ posts: list, total, page, page_size })
})

posts.get('/:id', async (req, res) => {
  const id = parseWhole(req.params.id, 'id')
  try {
    const post = await prisma.post.update({
      where: { id },
      data: { views: { increment: 1 } },
      include: {
        author,
        tags: true,
        comments: { include: { author }, orderBy: { id: 'asc' } },
      },
    })
    res.json(post)
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025') {
      throw new HttpError(404, 'post not found')
    }
    throw error
  }
})
