import express, { type ErrorRequestHandler } from 'express'
import { HttpError } from './http-error.js'
import { posts } from './posts.js'
import { prisma } from './prisma.js'

const app = express()
app.use(express.json())
app.use('/api/v1/posts', posts)

app.use((req, res) => {
  res.status(404).json({ error: `no route ${req.method} ${req.path}` })
})

const onError: ErrorRequestHandler = (error, _req, res, next) => {
  if (res.headersSent) return next(error)
  if (error instanceof HttpError) return res.status(error.status).json({ error: error.message })
  console.error(error)
  res.status(500).json({ error: 'internal server error' })
}
app.use(onError)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')

process.once('SIGTERM', () => {
  server.close(async () => {
    await prisma.$disconnect()
    process.exit(0)
  })
})
