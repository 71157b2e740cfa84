import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recipes } from '../examples/recipes.mjs'
import { freePort } from './support/free-port.ts'
import { endProcessesOf } from './support/stratad/daemon.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const ci = ['.ci/run', 'scripts/test-full.mjs'].map((path) =>
  readFileSync(join(root, path), 'utf8'),
)

/** Blocks that `.ci/run` or `npm run test:full` runs, and the text of the script that runs them. */
const runByCi: Record<string, string> = {
  'npm ci && npm run demo': 'npm run demo -- --once',
  'npm ci && npm test': 'npm ci && npm test',
  [`npm ci --prefix bench
npm run bench:cli
npm run bench:apps
npm run bench:blog

npm run build && npm ci --prefix bench/daemon/peers
npm run bench:daemon`]: "['run', 'bench:daemon', '--', '--quick']",
  'npm run build && npm run bench:page': "['run', 'bench:page', '--', '--check']",
  'npm run test:stores\nnpm run test:stores -- sqlite mysql': 'npm run test:stores',
}

// Blocks that the tests below run: the blocks of README.md in order, then the block of
// docs/generator.md.
const install = 'npm install --global .'
const use = `strata init shop
cd shop
strata feature BlogPost title:string:max=120 body:text published:bool:default=false
npm start`
const live = `git add --all && git commit --quiet --message 'first version'
strata daemon start
strata up`
const conformance = 'npm run conformance -- --url http://127.0.0.1:8080'
const grow = `strata feature Product name:string:unique price:"decimal(10,2)" state:"enum(new|sold)":default=new
strata feature Event --fields "title:string:max=80,starts_at:datetime:index,notes:text:optional"
strata feature Event --add place:string:optional title:string:max=120
strata feature Event --drop notes --allow-destructive`

// The blocks of docs/daemon.md.
const settings = `strata daemon config set SERVICE_BASE_DOMAIN=apps.example.com
openssl rand -hex 32 | strata daemon config set SERVICE_WEBHOOK_SECRET
strata daemon config get
strata daemon config unset SERVICE_WEBHOOK_SECRET`
const host = 'SERVICE_AUTO_TOKEN=1 stratad'
const deploy = `git add --all && git commit --quiet --message 'first version'
API=http://127.0.0.1:9000/api/v1
AUTH="Authorization: Bearer $(cat ~/.local/state/strata/api-token)"
curl -s $API/projects -H "$AUTH" --json "{\\"repo_dir\\":\\"$PWD\\"}"
curl -s $API/projects/1/deploy -H "$AUTH" --json '{"branch":"main"}'
curl -s http://main--shop.localhost:9080/health`
const backup = 'strata backup shop.tar'
const recovery = `SERVICE_ALLOW_RESTORE=1 strata daemon start
strata restore --yes shop.tar
strata daemon stop && strata daemon start
strata up`

// The blocks of docs/backups.md: a drill beside the running daemon.
const drill = `strata backup drill.tar
DRILL=$(mktemp -d)
unset XDG_STATE_HOME XDG_CONFIG_HOME
export HOME="$DRILL" SERVICE_ADDR=127.0.0.1:9100 SERVICE_GATEWAY_ADDR=127.0.0.1:9180
SERVICE_ALLOW_RESTORE=1 strata daemon start
strata restore --yes drill.tar
strata daemon stop && strata daemon start
strata up
curl -sf http://main--shop.localhost:9180/api/v1/blog-posts`
const endOfDrill = `strata daemon stop --apps
rm -r "$DRILL" drill.tar`

// The block of docs/remote.md.
const pushed = `strata remote add
git push strata main
strata open`

// The block of docs/ci.md.
const job = `strata remote add --project site
git push strata "HEAD:refs/heads/$BRANCH"`

// The block of docs/any-app.md.
const flask = `mkdir hello && cd hello
printf 'flask\\ngunicorn\\n' > requirements.txt
cat > app.py <<'END'
from flask import Flask

app = Flask(__name__)


@app.get("/")
def home():
    return "hello from Flask\\n"
END
git init --quiet --initial-branch main
git add --all && git commit --quiet --message 'first version'
strata daemon start
strata up
strata logs --lines 100`

/** The blocks of docs/production.md, which test/server.slow.test.ts reads and runs. */
const server = [
  'install --base-domain apps.example.com',
  'status',
  'upgrade ./stratad-0.2.0.tgz',
  'rollback',
  'uninstall',
].map((words) => `strata server ${words}`)

/** The blocks of docs/tutorial.md, which test/tutorial.slow.test.ts reads and runs. */
const tutorial = commandBlocks(join(root, 'docs/tutorial.md'))

const emitted = {
  start: 'npm install && npm start',
  test: 'npm install && npm test',
  grow: 'strata feature BlogPost title:string body:text published:bool:default=false',
  seed: 'npm run seed',
  up: 'strata up', // part of `live`
  deploy: 'docker compose up --build',
}

let folder: string
let shop: string
let port: number

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-docs-'))
  shop = join(folder, 'shop')
  port = await freePort()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('this file, .ci/run or test:full runs every sh block of the documents', () => {
  const top = ['README.md', 'CONTEXT.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
  const documents = [...top, 'bench/README.md', ...markdownIn('docs')]
  const blocks = documents.flatMap((path) => commandBlocks(join(root, path)))
  expect(blocks.toSorted()).toEqual(
    [
      ...Object.keys(runByCi),
      install,
      use,
      live,
      conformance,
      grow,
      settings,
      host,
      deploy,
      backup,
      recovery,
      drill,
      endOfDrill,
      flask,
      pushed,
      job,
      ...server,
      ...tutorial,
    ].toSorted(),
  )
})

test.each(Object.entries(runByCi))('CI or test:full runs: %s', (_, words) => {
  expect(ci.join('\n')).toContain(words)
})

describe('the commands of README.md', () => {
  test('install strata, create a project with a feature, and start the app', async () => {
    run(install, root)
    run(use.replace(/\nnpm start$/, ''), folder)
    await answers('npm start', shop, '/api/v1/blog-posts')
  })

  test('deploy the project', async () => {
    const [api, gateway] = [await freePort(), await freePort()]
    const env = { ...author, ...homeOf('live'), ...addresses(api, gateway) }
    try {
      run(live, shop, env)
      const host = `main--shop.localhost:${gateway}`
      expect(run(`curl -s http://${host}/health`, shop)).toMatch(/"status":"ok"/)
      run(`curl -sf http://${host}/api/v1/blog-posts --json '{"title":"kept","body":"x"}'`, shop)
      expect(await drilled(shop, env)).toContain('"kept"')
      expect(run(`curl -s http://${host}/health`, shop)).toMatch(/"status":"ok"/)
      run(backup, shop, env)
      expect(run('strata daemon stop --apps', shop, env)).toContain('the daemon has stopped')
    } finally {
      endProcessesOf(join(folder, 'live'))
    }
  })

  test('restore the rows of the project on another machine', async () => {
    rmSync(join(folder, 'live'), { recursive: true })
    const [api, gateway] = [await freePort(), await freePort()]
    const env = { ...author, ...homeOf('recovered'), ...addresses(api, gateway) }
    try {
      run(recovery, shop, env)
      const host = `main--shop.localhost:${gateway}`
      expect(run(`curl -s http://${host}/api/v1/blog-posts`, shop)).toContain('"kept"')
    } finally {
      endProcessesOf(join(folder, 'recovered'))
    }
  })

  test('the commands of docs/generator.md add features that pass the checks', () => {
    run(grow, shop)
    run('npm run check', shop)
  })

  test('check an app against the contract', async () => {
    await withServer('npm start', join(root, 'examples/user-app'), {}, () =>
      run(conformance.replace('8080', String(port)), root),
    )
  })
})

test('the commands of docs/daemon.md deploy a project', async () => {
  const [api, gateway] = [await freePort(), await freePort()]
  const env = { ...author, ...homeOf('by-hand'), ...addresses(api, gateway) }
  const isUp = () => isOk(`http://127.0.0.1:${api}/api/v1/health`)
  try {
    await withServer(host, folder, { env, isUp }, () => {
      const commands = deploy.replace(':9000', `:${api}`).replace(':9080', `:${gateway}`)
      expect(run(commands, shop, env)).toMatch(/"status":"ok"[^}]*}$/)
    })
  } finally {
    endProcessesOf(join(folder, 'by-hand'))
  }
})

test('the commands of docs/any-app.md deploy a Flask app', async ({ skip }) => {
  const python = spawnSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' })
  skip(python.status !== 0, 'this machine has no Python with venv')
  const [api, gateway] = [await freePort(), await freePort()]
  const env = { ...author, ...homeOf('any-app'), ...addresses(api, gateway) }
  try {
    const shown = run(flask, folder, env)
    expect(shown).toContain(`http://main--hello.localhost:${gateway}`)
    expect(shown).toContain('recognized: a Python app, because there is requirements.txt')
    const page = run(`curl -s http://main--hello.localhost:${gateway}/`, folder)
    expect(page).toBe('hello from Flask\n')
  } finally {
    endProcessesOf(join(folder, 'any-app'))
  }
})

test('the commands of docs/remote.md and docs/ci.md deploy by a push', async () => {
  const [api, gateway] = [await freePort(), await freePort()]
  const env = { ...author, ...homeOf('pushed'), ...addresses(api, gateway), BROWSER: 'echo' }
  const site = join(folder, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '<h1>pushed</h1>')
  try {
    run('git init --quiet --initial-branch main && git add --all', site)
    run('git commit --quiet --message first && strata daemon start', site, env)
    const shown = run(pushed, site, env)
    expect(shown).toContain(`http://main--site.localhost:${gateway}`)
    const page = run(`curl -s http://main--site.localhost:${gateway}/`, folder)
    expect(page).toBe('<h1>pushed</h1>')

    const made = 'strata token create ci --role developer --projects site --expires-in 90d --json'
    const { token } = JSON.parse(run(made, site, env))
    expect(token).toMatch(/\S{20}/)
    const clone = join(folder, 'ci-clone')
    run(
      `git clone --quiet '${site}' '${clone}' && git -C '${clone}' checkout --quiet --detach`,
      folder,
    )
    const ci = { ...author, ...homeOf('ci'), STRATA_HOST: `http://127.0.0.1:${api}` }
    mkdirSync(join(folder, 'ci'))
    run(job, clone, { ...ci, STRATA_TOKEN: token, BRANCH: 'topic' })
    const preview = run(`curl -s http://topic--site.localhost:${gateway}/`, folder)
    expect(preview).toBe('<h1>pushed</h1>')
  } finally {
    endProcessesOf(join(folder, 'pushed'))
  }
})

test('the commands of docs/daemon.md keep settings', () => {
  const shown = run(settings, folder, homeOf('settings'))
  expect(shown).toContain('SERVICE_BASE_DOMAIN=apps.example.com\n')
  expect(shown).toContain('SERVICE_WEBHOOK_SECRET=[redacted]\n')
})

describe('the README of an emitted project', () => {
  test('has only sh blocks that the tests below run', () => {
    expect(commandBlocks(join(shop, 'README.md')).toSorted()).toEqual(
      Object.values(emitted).toSorted(),
    )
  })

  test('contains commands that start the app and create records', () =>
    withServer(emitted.start, shop, {}, () => {
      run(emitted.seed, shop)
      expect(run(`curl -s localhost:${port}/api/v1/blog-posts`, shop)).toContain('"total":2')
      expect(run(emitted.seed, shop)).toContain('keeping the records')
    }))

  test('contains commands that pass the tests of the app', () => {
    run(emitted.test, shop)
  })

  test('contains a command that adds a feature', () => {
    run('strata init other --no-install', folder)
    run(emitted.grow, join(folder, 'other'))
  })

  test('contains a command that builds a Docker image', ({ skip }) => {
    const { status } = spawnSync('docker', ['info'], { stdio: 'ignore' })
    skip(status !== 0, 'this machine has no Docker engine')
    run('docker compose build', shop)
  })
})

describe('the README of an emitted project with users', () => {
  const club = () => join(folder, 'club')
  const blocks = () =>
    commandBlocks(join(club(), 'README.md')).filter(
      (block) => !Object.values(emitted).includes(block),
    )

  test('contains commands that register a user, log in and upload an image', async () => {
    run('strata init club --auth', folder)
    const [setup, register, logIn, admin, ...others] = blocks().map((block) =>
      block.replaceAll('localhost:8080', `localhost:${port}`),
    )
    expect(others).toEqual([])
    rmSync(join(club(), '.env'))
    run(setup ?? '', club())
    writeFileSync(join(club(), 'photo.jpg'), Buffer.from('ffd8ffe000104a464946', 'hex'))
    await withServer(emitted.start, club(), {}, () => {
      expect(JSON.parse(run(register ?? '', club()))).toHaveProperty('token')
      expect(JSON.parse(run(logIn ?? '', club()))).toHaveProperty('url')
      expect(run(admin ?? '', club())).toContain('ada@example.com is an admin')
    })
  })
})

test.each(recipes.map(({ name }) => name))(
  'the README of examples/%s starts the app in a fresh clone',
  async (name) => {
    const clone = join(folder, 'clone')
    run(`test -d clone || git clone --quiet '${root}' clone`, folder)
    const example = join(clone, 'examples', name)
    const [first = ''] = commandBlocks(join(example, 'README.md'))
    if (first !== emitted.start) run(first, example)
    await answers(emitted.start, example, '/health')
  },
)

/** The author of commits. */
const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}

/** A separate home folder for the data of the daemon and its client. */
function homeOf(name: string): NodeJS.ProcessEnv {
  return { HOME: join(folder, name), XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' }
}

function addresses(api: number, gateway: number): NodeJS.ProcessEnv {
  return { SERVICE_ADDR: `127.0.0.1:${api}`, SERVICE_GATEWAY_ADDR: `127.0.0.1:${gateway}` }
}

/** Runs the drill of docs/backups.md on free ports, and returns its output. */
async function drilled(cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [api, gateway] = [await freePort(), await freePort()]
  const commands = drill.replace(':9100', `:${api}`).replaceAll(':9180', `:${gateway}`)
  return run(`${commands}\n${endOfDrill}`, cwd, { ...env, TMPDIR: join(folder, 'live') })
}

function markdownIn(path: string): string[] {
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(path, file))
}

/** Returns the `sh` blocks of a document, without comments after commands. */
function commandBlocks(path: string): string[] {
  const blocks = readFileSync(path, 'utf8').matchAll(/^```sh\n([\s\S]*?)\n```$/gm)
  return [...blocks].map(([, text = '']) => text.replace(/ +# .*$/gm, ''))
}

/** The PATH finds the `strata` that the command of README.md installed. */
function environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const prefix = join(folder, 'global')
  return {
    ...process.env,
    PORT: String(port),
    npm_config_prefix: prefix,
    PATH: `${join(prefix, 'bin')}${delimiter}${process.env.PATH}`,
    ...more,
  }
}

/** Runs shell commands, expects exit code 0, and returns standard output. */
function run(commands: string, cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const options = { cwd, env: environment(env), encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', commands], options)
  expect({ commands, status, output: status === 0 ? '' : stdout + stderr }).toMatchObject({
    status: 0,
  })
  return stdout
}

function answers(command: string, cwd: string, path: string): Promise<void> {
  return withServer(command, cwd, {}, async () => {
    expect(await isOk(`http://127.0.0.1:${port}${path}`)).toBe(true)
  })
}

async function withServer(
  command: string,
  cwd: string,
  { env = {}, isUp = isHealthy }: { env?: NodeJS.ProcessEnv; isUp?: () => Promise<boolean> },
  use: () => unknown,
): Promise<void> {
  const options = { cwd, env: environment(env), stdio: 'ignore', detached: true } as const
  const server = spawn('sh', ['-ec', command], options)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    await expect.poll(isUp, { timeout: 120_000, interval: 200 }).toBe(true)
    await use()
  } finally {
    // The process group contains the shell, npm and the app.
    if (server.pid) process.kill(-server.pid, 'SIGTERM')
    await ended
  }
}

function isHealthy(): Promise<boolean> {
  return isOk(`http://127.0.0.1:${port}/health`)
}

/** Uses a new connection: `fetch` would reuse one to a server that is stopping. */
function isOk(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).once('error', () => resolve(false))
  })
}
