import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, rowOf } from '../support/stratad/project.ts'

let daemon: Daemon
beforeAll(async () => {
  daemon = await startDaemon()
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

/** An app that prints its variables, and answers with a digest of each. */
const tellingApp = (section: object) => ({
  ...plainApp,
  'server.js': `
const { createHash } = require('node:crypto')
const names = ['TOKEN_KEY', 'COOKIE_KEY', 'PLAIN']
const digests = names.map((name) => {
  const value = process.env[name] ?? ''
  return [name, value.length, createHash('sha256').update(value).digest('hex')]
})
console.log('the key is ' + process.env.TOKEN_KEY)
require('node:http')
  .createServer((_request, response) => response.end(JSON.stringify(digests)))
  .listen(process.env.PORT, '127.0.0.1')
`,
  'strata.json': JSON.stringify({ deploy: section }),
})

const secretsOf = async (id: number): Promise<string[]> =>
  (await call(daemon, 'GET', `/projects/${id}/secrets`)).body.secrets.map(
    ({ name }: { name: string }) => name,
  )

test('the first deploy makes the secrets that are missing, for all branches and deploys', async () => {
  const section = { env: { PLAIN: 'plain' }, generate: ['TOKEN_KEY', 'COOKIE_KEY', 'PLAIN'] }
  const shop = await createProject(daemon, 'shop', tellingApp(section))
  await call(daemon, 'POST', `/projects/${shop.id}/secrets`, {
    ...{ name: 'COOKIE_KEY', value: 'chosen by a person', scope: 'project' },
  })
  expect((await deploy(daemon, shop)).status).toBe(201)
  const first = (await visit(daemon, shop.host())).body
  expect(first.map(([name, length]: [string, number]) => [name, length])).toEqual([
    ['TOKEN_KEY', 43],
    ['COOKIE_KEY', 18],
    ['PLAIN', 5],
  ])
  expect(await secretsOf(shop.id)).toEqual(['COOKIE_KEY', 'TOKEN_KEY'])

  const { id } = await rowOf(daemon, shop)
  const { logs } = (await call(daemon, 'GET', `/environments/${id}/logs?lines=500`)).body
  expect(logs).toContain('the project has new random secrets: TOKEN_KEY\n')
  expect(logs).toContain('the key is [redacted]')
  const audit = (await call(daemon, 'GET', `/audit?kind=secret_set&project_id=${shop.id}`)).body
  expect(audit.map(({ detail }: { detail: string }) => detail)).toEqual(['TOKEN_KEY', 'COOKIE_KEY'])

  shop.repository.commit({ 'note.txt': 'second' })
  expect((await deploy(daemon, shop)).status).toBe(201)
  expect((await visit(daemon, shop.host())).body).toEqual(first)
  shop.repository.git('branch', 'preview')
  expect((await deploy(daemon, shop, 'preview')).status).toBe(201)
  expect((await visit(daemon, shop.host('preview'))).body).toEqual(first)
})

test('two projects have different secrets', async () => {
  const answers: unknown[] = []
  for (const name of ['one', 'two']) {
    const project = await createProject(daemon, name, tellingApp({ generate: ['TOKEN_KEY'] }))
    expect((await deploy(daemon, project)).status).toBe(201)
    answers.push((await visit(daemon, project.host())).body[0])
  }
  expect(answers[0]).not.toEqual(answers[1])
})

test.each([
  [{ generate: ['PORT'] }, 'deploy.generate.0 is a variable that strata sets itself'],
  [{ generate: ['A B'] }, 'deploy.generate.0 is not a valid variable name'],
  [{ generate: 'TOKEN_KEY' }, 'deploy.generate must be a list of names'],
])('%j is refused', async (section, reason) => {
  const name = `refused-${JSON.stringify(section).length}`
  const project = await createProject(daemon, name, tellingApp(section))
  const { status, body } = await deploy(daemon, project)
  expect(status).toBe(422)
  expect(body.error).toContain(reason)
  expect(await secretsOf(project.id)).toEqual([])
})
