import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project } from '../support/stratad/project.ts'

let daemon: Daemon
beforeAll(async () => {
  const installer = fileURLToPath(new URL('toolchains/install.mjs', import.meta.url))
  spawnSync(process.execPath, [installer], { stdio: 'inherit' })
  // The level of the reporter, which pnpm uses for its counts.
  daemon = await startDaemon({ env: { npm_config_loglevel: 'info' } })
})
afterAll(async () => {
  await daemon?.stop('SIGKILL')
  if (daemon) cleanUp(daemon.dataDir)
})

/** Returns the programs of a toolchain that the host lacks. */
function missing(programs: readonly string[]): readonly string[] {
  return programs.filter((name) => spawnSync(name, ['version'], { stdio: 'ignore' }).error)
}

/** Creates a project with the files of an example and more files. */
async function projectOf(
  at: Daemon,
  name: string,
  { example, files = {} }: { example?: string; files?: Readonly<Record<string, string>> },
): Promise<Project> {
  const project = await createProject(at, name, {})
  if (example !== undefined) {
    const source = fileURLToPath(new URL(`../../examples/other-apps/${example}`, import.meta.url))
    cpSync(source, project.repository.folder, { recursive: true })
  }
  project.repository.commit(files)
  return project
}

async function buildOutput(at: Daemon, id: number): Promise<string> {
  return (await call(at, 'GET', `/environments/${id}/logs?lines=1000`)).body.logs
}

const apps = [
  {
    example: 'flask',
    programs: ['python3'],
    answer: /"app":"flask","branch":"main"/,
    says: /recognized: a Python app, because there is requirements.txt/,
    again: /packages: unchanged, taken from the cache/,
  },
  {
    example: 'go',
    programs: ['go'],
    answer: /^go [0-9a-f-]{36}\n$/,
    says: /recognized: a Go program, because there is go.mod/,
    // Go prints each module that it downloads.
    again: /^(?![\s\S]*go: downloading)[\s\S]*\$ go build/,
  },
  {
    example: 'static',
    programs: [],
    answer: /<h1>Static files<\/h1>/,
    says: /recognized: static files, because there is index.html/,
    again: /recognized: static files/,
  },
  {
    example: 'procfile',
    programs: [],
    answer: /^procfile: a minute has 60000 ms\n$/,
    says: /worker: node worker\.js/,
    again: /packages: unchanged, taken from the cache/,
  },
  {
    example: 'workspace',
    programs: ['pnpm'],
    answer: /^hello from the workspace\n$/,
    says: /pnpm 9.15.9, because packageManager in package.json names it/,
    again: /reused 1, downloaded 0/,
  },
] as const

describe.each(apps)('the example $example', ({ example, programs, answer, says, again }) => {
  test('answers at its host, and its next deploy uses the caches', async ({ skip }) => {
    const absent = missing(programs)
    skip(absent.length > 0, `the host has no ${absent.join(', ')}`)
    const project = await projectOf(daemon, example, { example })
    const first = await deploy(daemon, project)
    expect(first.status, first.text).toBe(201)
    expect((await visit(daemon, project.host())).text).toMatch(answer)
    expect(await buildOutput(daemon, first.body.id)).toMatch(says)

    project.repository.commit({ 'NOTES.md': 'a change' })
    const second = await deploy(daemon, project)
    expect(second.status, second.text).toBe(201)
    expect(second.body.branch.commit_sha).not.toBe(first.body.branch.commit_sha)
    expect((await visit(daemon, project.host())).text).toMatch(answer)
    expect(await buildOutput(daemon, second.body.id)).toMatch(again)
  })
})

const yarnApp = {
  'package.json': JSON.stringify({
    name: 'yarn-app',
    version: '1.0.0',
    scripts: { start: 'node server.js' },
    dependencies: { ms: '2.1.3' },
  }),
  'yarn.lock': [
    '# yarn lockfile v1',
    '',
    'ms@2.1.3:',
    '  version "2.1.3"',
    '  integrity sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==',
    '',
  ].join('\n'),
  'server.js': `const ms = require('ms')
require('node:http').createServer((_, response) => response.end('yarn ' + ms('1s'))).listen(process.env.PORT)`,
}

test('an app with yarn.lock installs with Yarn', async ({ skip }) => {
  skip(missing(['yarn']).length > 0, 'the host has no yarn')
  const project = await projectOf(daemon, 'yarn-app', { files: yarnApp })
  const { status, text, body } = await deploy(daemon, project)
  expect(status, text).toBe(201)
  expect((await visit(daemon, project.host())).text).toBe('yarn 1000')
  expect(await buildOutput(daemon, body.id)).toContain('yarn, because there is yarn.lock')
})

test('static files have ETags, ranges and a page for unknown paths, and dot files are not found', async () => {
  const files = { '.env': 'SECRET=1', 'strata.json': '{"deploy":{"static":{"folder":"."}}}' }
  const project = await projectOf(daemon, 'site', { example: 'static', files })
  const { status, text } = await deploy(daemon, project)
  expect(status, text).toBe(201)
  const get = (path: string) => visit(daemon, project.host(), path)
  expect(await get('/style.css')).toMatchObject({
    status: 200,
    headers: { etag: expect.any(String), 'accept-ranges': 'bytes' },
  })
  expect(await get('/absent')).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is no such page'),
  })
  for (const path of ['/.env', '/strata.json', '/.strata/serve.cjs', '/%2e%2e/%2e%2e/etc/passwd']) {
    expect((await get(path)).status, path).toBe(404)
  }
})

test('a FastAPI app with pyproject.toml and modules in src starts without a start command', async ({
  skip,
}) => {
  skip(missing(['python3']).length > 0, 'the host has no python3')
  const files = {
    'pyproject.toml':
      '[project]\nname = "x"\nversion = "1"\ndependencies = ["fastapi==0.115.6", "uvicorn==0.34.0"]\n',
    'main.py':
      'from fastapi import FastAPI\nfrom greeting import text\n\napp = FastAPI()\n\n\n@app.get("/")\ndef home():\n    return {"text": text}\n',
    'src/greeting.py': 'text = "hello"\n',
  }
  const project = await projectOf(daemon, 'fastapi', { files })
  const { status, text } = await deploy(daemon, project)
  expect(status, text).toBe(201)
  expect((await visit(daemon, project.host())).body).toEqual({ text: 'hello' })
})

const faults = [
  {
    name: 'a syntax error in the requirements',
    programs: ['python3'],
    files: { 'requirements.txt': 'flask=3\n', 'app.py': 'app = Flask(__name__)' },
    error:
      /pip install -r requirements\.txt` failed with exit code 1: ERROR: Invalid requirement: .*flask=3/,
  },
  {
    name: 'a package that does not exist',
    programs: ['python3'],
    files: { 'requirements.txt': 'strata-no-such-package==1\n', 'main.py': '' },
    error: /No matching distribution found for strata-no-such-package/,
  },
  {
    name: 'an error of the Go compiler',
    programs: ['go'],
    files: {
      'go.mod': 'module x\n\ngo 1.21\n',
      'main.go': 'package main\n\nfunc main() {\n\tserve()\n}\n',
    },
    error:
      /`go build -o \.strata\/app \.` failed with exit code 1: \.\/main\.go:4:2: undefined: serve/,
  },
  {
    name: 'shell syntax in a Procfile',
    programs: [],
    files: { Procfile: 'web: migrate && serve', 'requirements.txt': '' },
    error: /Procfile: the web line uses a shell operator/,
  },
  {
    name: 'a variable without a value',
    programs: [],
    files: { Procfile: 'web: node a.js $MISSING_VALUE', 'a.js': '' },
    error: /uses \$MISSING_VALUE, which has no value: set it with strata env set MISSING_VALUE/,
  },
  {
    name: 'no sign of an app',
    programs: [],
    files: { 'README.md': 'x' },
    error:
      /no kind of app is recognized.*requirements\.txt.*\{\n {2}"deploy": \{ "start": "node server\.js" \}\n\}/s,
  },
  {
    name: 'a missing folder of static files',
    programs: [],
    files: { 'strata.json': '{"deploy":{"static":"public"}}', 'index.html': '' },
    error: /there is no folder public: check deploy\.static/,
  },
] as const

describe.each(faults)('$name', ({ name, programs, files, error }) => {
  test('fails the deploy with 422 and the cause', async ({ skip }) => {
    const absent = missing(programs)
    skip(absent.length > 0, `the host has no ${absent.join(', ')}`)
    const project = await projectOf(daemon, name.replaceAll(' ', '-'), { files })
    const { status, body } = await deploy(daemon, project)
    expect(status).toBe(422)
    expect(body.error).toMatch(error)
  })
})

test('a repository with only a Dockerfile is refused by the process runtime', async () => {
  const project = await projectOf(daemon, 'dockerfile', { example: 'dockerfile' })
  const { status, body } = await deploy(daemon, project)
  expect(status).toBe(422)
  expect(body.error).toMatch(/only a Dockerfile.*SERVICE_RUNTIME=docker/s)
})

test('a host without the toolchain says how to install it', async () => {
  const path = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].filter(
    (folder) => !spawnSync(`${folder}/go`, ['version'], { stdio: 'ignore' }).pid,
  )
  const other = await startDaemon({ env: { PATH: path.join(delimiter) } })
  try {
    const project = await projectOf(other, 'go', { example: 'go' })
    const { status, body } = await deploy(other, project)
    expect(status).toBe(422)
    expect(body.error).toMatch(/the host has no go: install it \(.*go\.dev.*SERVICE_RUNTIME=docker/)
    expect(await buildOutput(other, body.environment_id)).toContain('recognized: a Go program')
  } finally {
    await other.stop('SIGKILL')
    cleanUp(other.dataDir)
  }
})
