import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const recorder = join(repository, 'dist/strata-route-recorder.cjs')

/** Runs an app under the recorder. Returns what it sends when the app listens. */
async function served(app: string): Promise<unknown> {
  const folder = mkdtempSync(join(repository, '.cache/routes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'app.js'), app)
  const child = fork('app.js', { cwd: folder, execArgv: ['--require', recorder] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [message] = await once(child, 'message')
  return message
}

test('the routes of an app are those of its routers, under the paths where they are mounted', async () => {
  const app = `
    import express, { Router } from 'express'
    const end = (_req, res) => res.end()
    const parts = Router().get('/:part', end)
    const orders = Router()
    orders.route('/').get(end).post(end).all(end)
    orders.use('/:id/parts', end, [parts])
    const api = Router().use('/orders', orders)
    api.get(['/old', '/new/'], end)
    api.get(/^.regular$/, end)
    const app = express()
    app.use(end).use('/api/v1', api).use(['/a', '/b'], parts)
    app.get('/health', end)
    app.all('/any', end)
    app.get('/files/*path', end)
    const admin = express()
    admin.get('/users/:id', end)
    app.use('/admin', admin)
    Router().get('/nowhere', end)
    app.listen(0)
  `
  expect(await served(app)).toEqual({
    served: [
      'DELETE /any',
      'GET /a/{part}',
      'GET /admin/users/{id}',
      'GET /any',
      'GET /api/v1/new',
      'GET /api/v1/old',
      'GET /api/v1/orders',
      'GET /api/v1/orders/{id}/parts/{part}',
      'GET /b/{part}',
      'GET /files/{path}',
      'GET /health',
      'PATCH /any',
      'POST /any',
      'POST /api/v1/orders',
      'PUT /any',
    ],
  })
})

test('an app without Express has no routes to name', async () => {
  const app = "import { createServer } from 'node:http'\ncreateServer().listen(0)"
  expect(await served(app)).toEqual({ served: [] })
})
