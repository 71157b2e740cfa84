import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, visit } from '../support/stratad/call.ts'
import {
  cleanUp,
  type Daemon,
  masterToken,
  processesOf,
  startDaemon,
  webhookSecret,
} from '../support/stratad/daemon.ts'
import { createGatedBuild, type GatedBuild } from '../support/stratad/gated-build.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { createProject, deploy, type Project } from '../support/stratad/project.ts'
import { testRuntime } from '../support/stratad/test-runtime.ts'

const secrets = {
  GLOBAL_KEY: 'global-value-8f1d',
  PROJECT_KEY: 'project-value-52ca',
  BRANCH_KEY: 'branch-value-e07b',
}
const gitToken = 'git-token-91ab3c'
const masterKey = '5e'.repeat(32)
const proxyPassword = 'proxy-password-6d20'
const all = [...Object.values(secrets), gitToken, masterToken, webhookSecret, masterKey]

let daemon: Daemon
let project: Project
let gate: GatedBuild

beforeAll(async () => {
  daemon = await startDaemon({
    env: {
      SERVICE_MASTER_KEY: masterKey,
      ftp_proxy: `http://user:${proxyPassword}@127.0.0.1:9`,
    },
  })
  gate = await createGatedBuild(daemon)
  project = await createProject(daemon, 'shop', gate.files)
  await call(daemon, 'POST', '/secrets', { name: 'GLOBAL_KEY', value: secrets.GLOBAL_KEY })
  const path = `/projects/${project.id}/secrets`
  const own = { name: 'PROJECT_KEY', value: secrets.PROJECT_KEY, scope: 'project' }
  await call(daemon, 'POST', path, own)
  const narrow = { name: 'BRANCH_KEY', value: secrets.BRANCH_KEY, scope: 'branch', branch: 'main' }
  await call(daemon, 'POST', path, narrow)
})
afterAll(async () => {
  gate.close()
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

describe('secrets never appear', () => {
  test('in the process list, during a build and while the app runs', async () => {
    const answer = deploy(daemon, project)
    expect(await gate.begun()).toBe(true)
    expect(gate.running()).toBe(1)
    const whileBuilding = commandLines()
    gate.open()
    expect((await answer).status).toBe(201)
    expect(findSecrets(whileBuilding + commandLines())).toEqual([])
  })

  test('in the environment or the arguments of the daemon and the gateway, proxy passwords included', () => {
    const pids = processesOf(daemon.dataDir)
    const texts = pids.map((pid) => textOf(`/proc/${pid}/environ`) + textOf(`/proc/${pid}/cmdline`))
    expect(pids).toContain(daemon.process.pid)
    expect(texts.filter((text) => text.includes('strata-gateway'))).toHaveLength(1)
    const settings = [masterToken, webhookSecret, masterKey, proxyPassword]
    const own = textOf(`/proc/${daemon.process.pid}/environ`)
    expect(own).toContain('SERVICE_DATA_DIR')
    for (const text of texts.filter((each) => /stratad|strata-gateway/.test(each))) {
      expect(settings.filter((value) => text.includes(value))).toEqual([])
    }
  })

  test('in a file of the daemon', () => {
    const names = filesBelow(daemon.dataDir)
    expect(names.some((name) => name.endsWith('strata.db'))).toBe(true)
    const holding = names.filter((name) => findSecrets(textOf(name)).length > 0)
    expect(holding).toEqual([])
  })

  test('in the reason of a failure, even if the app prints them', async () => {
    const { repository } = project
    const goodSource = repository.git('show', 'HEAD:server.js')
    const names = Object.keys(secrets).map((name) => `process.env.${name}`)
    repository.commit({ 'server.js': `throw new Error([${names.join()}].join(' '))` })
    const failed = await deploy(daemon, project)
    expect(failed.status).toBe(422)
    expect(failed.body.error).toContain('[redacted]')
    expect(findSecrets(failed.text)).toEqual([])
    const row = await call(daemon, 'GET', `/environments/${failed.body.environment_id}`)
    expect(row.body.reason).toContain('[redacted]')
    expect(findSecrets(row.text)).toEqual([])
    repository.commit({ 'server.js': goodSource })
  })

  test.each([
    ['of the app', 285, 'server.js', 'throw new Error'],
    ['of the build', 285, 'build.js', 'throw new Error'],
  ])(
    'in part in the reason of a failure %s, if the cut of a long line is inside the secret',
    async (_, length, file, fail) => {
      const { repository } = project
      const goodSource = repository.git('show', `HEAD:${file}`)
      const text = `'x'.repeat(${length}) + process.env.PROJECT_KEY`
      repository.commit({ [file]: `${fail}(${text})` })
      const failed = await deploy(daemon, project)
      expect(failed.status).toBe(422)
      expect(failed.body.error).toContain('xxx')
      const audit = await call(daemon, 'GET', '/audit?limit=1000')
      const row = await call(daemon, 'GET', `/environments/${failed.body.environment_id}`)
      expect(failed.text + audit.text + row.text).not.toContain('project-')
      repository.commit({ [file]: goodSource })
    },
  )

  test('in the log of an app or a build that prints them', async () => {
    const { repository } = project
    const goodServer = repository.git('show', 'HEAD:server.js')
    const goodBuild = repository.git('show', 'HEAD:build.js')
    const names = Object.keys(secrets).map((name) => `process.env.${name}`)
    const print = `console.log('printed', [${names.join()}].join(' '))`
    repository.commit({ 'server.js': `${print}\n${goodServer}`, 'build.js': print })
    const { status, body } = await deploy(daemon, project)
    expect(status).toBe(201)
    let text = ''
    // The build of an image gets no secret.
    const prints = testRuntime() === 'docker' ? 1 : 2
    const hasPrinted = async () => {
      text = (await call(daemon, 'GET', `/environments/${body.id}/logs?lines=1000`)).text
      return text.split('printed [redacted] [redacted] [redacted]').length > prints
    }
    expect(await eventually(hasPrinted, 20_000), text).toBe(true)
    expect(findSecrets(text)).toEqual([])
    const stream = await fetch(`${daemon.url}/environments/${body.id}/logs/stream`, {
      headers: { authorization: `Bearer ${masterToken}` },
      signal: AbortSignal.timeout(20_000),
    })
    let streamed = ''
    for await (const chunk of stream.body ?? []) {
      streamed += Buffer.from(chunk).toString('utf8')
      if (streamed.includes('printed')) break
    }
    expect(streamed).toContain('[redacted]')
    expect(findSecrets(streamed)).toEqual([])
    repository.commit({ 'server.js': goodServer, 'build.js': goodBuild })
  })

  test('in a response, an audit entry or a line of the log', async () => {
    const { id } = project
    const paths = ['/projects', '/audit?limit=1000', '/queue', '/stats', '/secrets', '/tokens']
    const more = ['/infra/status', '/proxy/config', `/projects/${id}/secrets?branch=main`]
    for (const path of [...paths, ...more, `/projects/${id}/environments`, '/environments']) {
      const { text, status } = await call(daemon, 'GET', path)
      expect([path, status]).toEqual([path, 200])
      expect(findSecrets(text)).toEqual([])
    }
    expect(findSecrets(daemon.output())).toEqual([])
  })

  test.each([
    ['name', { name: 'a b', value: secrets.GLOBAL_KEY }],
    ['value', { name: 'X', value: [secrets.GLOBAL_KEY] }],
    ['key', { name: 'X', value: secrets.GLOBAL_KEY, values: 1 }],
  ])('in the error for an invalid %s', async (_, body) => {
    const answer = await call(daemon, 'POST', '/secrets', body)
    expect(answer.status).toBe(400)
    expect(findSecrets(answer.text)).toEqual([])
  })
})

test('an app and its build see no setting of the daemon', async () => {
  const dump = `JSON.stringify(process.env)`
  const nosy = await createProject(daemon, 'nosy', {
    ...plainApp,
    'server.js': `const built = require('node:fs').readFileSync('built.json', 'utf8')
require('node:http').createServer((request, response) => response.end(${dump} + built)).listen(process.env.PORT)`,
    'build.js': `require('node:fs').writeFileSync('built.json', ${dump})`,
    'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
  })
  expect((await deploy(daemon, nosy)).status).toBe(201)
  const { text } = await visit(daemon, nosy.host())
  expect(text).toContain('STRATA_COMMIT')
  expect(text).not.toContain('SERVICE_')
  expect(findSecrets(text)).toEqual([secrets.GLOBAL_KEY])
})

describe('a git token', () => {
  let host: Server
  const seen: string[] = []
  const lists: string[] = []

  beforeAll(async () => {
    host = createServer((request, response) => {
      lists.push(commandLines())
      const { authorization } = request.headers
      seen.push(authorization ?? '')
      response.statusCode = authorization ? 403 : 401
      if (!authorization) response.setHeader('www-authenticate', 'Basic realm="git"')
      response.end(`no: ${authorization}`)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => host.close())

  test('reaches its git host and appears nowhere else', async () => {
    const { port } = host.address() as AddressInfo
    const made = await call(daemon, 'POST', '/projects', {
      repo_url: `http://127.0.0.1:${port}/team/private.git`,
      git_token: gitToken,
    })
    expect(made).toMatchObject({ status: 201, body: { has_git_token: true } })
    const { id } = made.body
    const answer = await call(daemon, 'POST', `/projects/${id}/deploy`, { branch: 'main' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    const decoded = seen.map((text) => Buffer.from(text.slice(6), 'base64').toString())
    expect(decoded.some((text) => text.includes(gitToken))).toBe(true)
    const encoded = seen.filter((text) => text !== '').map((text) => text.slice(6))
    for (const text of [...lists, answer.text, daemon.output(), made.text]) {
      expect(findSecrets(text)).toEqual([])
      expect(encoded.filter((part) => text.includes(part))).toEqual([])
    }
    const audit = await call(daemon, 'GET', '/audit?limit=1000')
    expect(findSecrets(audit.text)).toEqual([])
    const files = filesBelow(join(daemon.dataDir, 'git'))
    expect(files.filter((name) => findSecrets(textOf(name)).length > 0)).toEqual([])
  })
})

function findSecrets(text: string): string[] {
  return all.filter((secret) => text.includes(secret))
}

/** Returns the command lines of all processes, which every user can read. */
function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => textOf(`/proc/${pid}/cmdline`))
    .join('\n')
}

/** Returns '' if the file has vanished: an ended process, or a renamed temporary file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Returns the regular files below a folder, without sockets. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => statSync(name, { throwIfNoEntry: false })?.isFile())
}
