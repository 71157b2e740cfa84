import type { FastifyInstance } from 'fastify'
import type { PrismaClient } from './generated/prisma/client.js'

const user = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    age: { type: 'integer' },
    created_at: { type: 'string', format: 'date-time' },
    updated_at: { type: 'string', format: 'date-time' },
  },
}

const createSchema = {
  body: {
    type: 'object',
    required: ['name', 'email', 'age'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      email: { type: 'string', format: 'email' },
      age: { type: 'integer' },
    },
  },
  response: { 201: user },
}

const getSchema = {
  params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
  response: { 200: user },
}

const listSchema = {
  querystring: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, default: 1 },
      page_size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    },
  },
  response: {
    200: {
      type: 'object',
      properties: { users: { type: 'array', items: user }, total: { type: 'integer' } },
    },
  },
}

export async function users(app: FastifyInstance, { prisma }: { prisma: PrismaClient }) {
  app.post<{ Body: { name: string; email: string; age: number } }>(
    '/',
    { schema: createSchema },
    async (request, reply) => {
      const created = await prisma.user.create({ data: request.body })
      return reply.code(201).send(created)
    },
  )

  app.get<{ Params: { id: number } }>('/:id', { schema: getSchema }, async (request, reply) => {
    const found = await prisma.user.findUnique({ where: { id: request.params.id } })
    if (!found) return reply.code(404).send({ error: 'user not found' })
    return found
  })

  app.get<{ Querystring: { page: number; page_size: number } }>(
    '/',
    { schema: listSchema },
    async (request) => {
      const { page, page_size } = request.query
      const [list, total] = await Promise.all([
        prisma.user.findMany({
          skip: (page - 1) * page_size,
          take: page_size,
          orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
        }),
        prisma.user.count(),
      ])
      return { users: list, total }
    },
  )
}
