import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createApp, type Files, temporaryFolder } from '../../../test/support/daemon/build/app.ts'
import type { BuildPlan } from '../../ports.ts'
import { planOf } from '../plan.ts'

const defaults = { memoryMb: 256, pids: 512, keepReleases: 3, healthTimeoutMs: 1000 }

function plan(files: Files, runtime: 'process' | 'docker' = 'process'): Promise<BuildPlan> {
  return planOf(createApp(join(temporaryFolder(), 'app'), files), { ...defaults, runtime })
}

async function startOf(files: Files): Promise<string> {
  return (await plan(files)).launch.start.join(' ')
}

async function reasonsOf(files: Files, runtime?: 'docker'): Promise<string> {
  return (await plan(files, runtime)).app.reasons.join('\n')
}

async function refusal(files: Files, runtime?: 'docker'): Promise<string> {
  const error = await plan(files, runtime).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toMatchObject({ kind: 'unprocessable' })
  return error.message
}

const flask = {
  'requirements.txt': 'flask\n',
  'app.py': 'from flask import Flask\napp = Flask(__name__)\n',
}
const host = '${HOST:-127.0.0.1}'
const port = '${PORT}'

describe('Python', () => {
  test.each([
    ['Flask alone', flask, `flask --app app:app run --host ${host} --port ${port}`],
    [
      'Flask with gunicorn',
      { ...flask, 'requirements.txt': 'Flask==3.1\ngunicorn>=22' },
      `gunicorn app:app --bind ${host}:${port}`,
    ],
    [
      'a Flask factory with gunicorn',
      { 'requirements.txt': 'flask\ngunicorn', 'wsgi.py': 'def create_app():\n  pass' },
      `gunicorn wsgi:create_app() --bind ${host}:${port}`,
    ],
    [
      'FastAPI',
      { 'requirements.txt': 'fastapi[standard]', 'main.py': 'api: FastAPI = FastAPI(title="x")' },
      `uvicorn main:api --host ${host} --port ${port}`,
    ],
    [
      'Starlette with hypercorn',
      { 'requirements.txt': 'starlette\nhypercorn', 'main.py': 'app = Starlette()' },
      `hypercorn main:app --bind ${host}:${port}`,
    ],
    [
      'Django with gunicorn',
      {
        'requirements.txt': 'Django\ngunicorn',
        'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')",
      },
      `gunicorn shop.wsgi:application --bind ${host}:${port}`,
    ],
    [
      'Django alone',
      { 'requirements.txt': 'Django', 'manage.py': '' },
      `python manage.py runserver --noreload ${host}:${port}`,
    ],
    ['a script', { 'requirements.txt': '', 'main.py': 'print(1)' }, 'python main.py'],
    [
      'pyproject.toml',
      {
        ...flask,
        'requirements.txt': undefined,
        'pyproject.toml': '[project]\ndependencies = ["flask", "gunicorn"]',
      },
      `gunicorn app:app --bind ${host}:${port}`,
    ],
  ])('finds the start command of %s', async (_, files, start) => {
    const given = Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined))
    expect(await startOf(given as Files)).toBe(start)
  })

  test('takes its version from a file of the repository or from requires-python', async () => {
    const versionOf = async (files: Files) => {
      const { app } = await plan({ ...flask, ...files })
      return app.kind === 'python' ? app.version : undefined
    }
    expect(await versionOf({ '.python-version': '3.11.4\n' })).toBe('3.11')
    expect(await versionOf({ 'runtime.txt': 'python-3.10.2' })).toBe('3.10')
    expect(
      await versionOf({ 'pyproject.toml': '[project]\nrequires-python = ">=3.9,<3.12"' }),
    ).toBe('3.11')
    expect(await versionOf({})).toBe('3.12')
  })

  test.each([
    ['flask', false],
    ['flask @ https://example.com/flask.zip', false],
    ['git+https://example.com/x.git', false],
    ['-r base.txt', true],
    ['  --constraint limits.txt', true],
    ['-e .', true],
    ['./local', true],
    ['vendor/local', true],
    ['local @ file:vendor/local', true],
  ])('finds whether the requirement %j needs files of the repository: %s', async (line, needs) => {
    const { app } = await plan({ ...flask, 'requirements.txt': `flask\n${line}\n` })
    expect(app).toMatchObject({ needsSources: needs })
  })

  test('reads a list of many empty lines in linear time', async () => {
    const lines = '\n'.repeat(250_000)
    expect((await plan({ ...flask, 'requirements.txt': lines })).app.kind).toBe('python')
  })

  test('says which lists of packages have no effect, and how to replace a list of Poetry', async () => {
    expect(await reasonsOf({ ...flask, 'uv.lock': '' })).toContain('uv.lock has no effect')
    expect(await refusal({ 'pyproject.toml': '[tool.poetry]\nname = "x"' })).toMatch(
      /poetry export -o requirements.txt/,
    )
    expect(await refusal({ 'pyproject.toml': '[project' })).toMatch(/pyproject.toml is not TOML/)
  })

  test('answers a Python app without a start command with the lines to add', async () => {
    expect(await refusal({ 'requirements.txt': 'requests' })).toMatch(
      /no start command.*\n\{\n {2}"deploy": \{ "start": "gunicorn app:app --bind 0.0.0.0:\$PORT" \}\n\}$/s,
    )
  })
})

describe('Node', () => {
  const app = { scripts: { start: 'node a.js', build: 'tsc' }, dependencies: { a: '1' } }

  test.each([
    [
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'",
      'pnpm install --frozen-lockfile',
      'pnpm run build',
    ],
    ['yarn.lock', '# yarn lockfile v1', 'yarn install --frozen-lockfile', 'yarn run build'],
    ['yarn.lock', '__metadata:\n  version: 8', 'yarn install --immutable', 'yarn run build'],
    ['package-lock.json', '{}', 'npm ci', 'npm run build'],
  ])('installs by %s', async (name, text, install, build) => {
    const found = await plan({ 'package.json': app, [name]: text })
    expect(found.install?.join(' ')).toBe(install)
    expect(found.build?.join(' ')).toBe(build)
    expect(found.launch.start).toEqual(['node', 'a.js'])
  })

  test('follows packageManager in package.json, and installs its exact version into images', async () => {
    const manifest = { ...app, packageManager: 'pnpm@9.15.4+sha512.abc' }
    const { app: found, install } = await plan({ 'package.json': manifest, 'yarn.lock': '' })
    expect(found).toMatchObject({ packageManager: { name: 'pnpm', version: '9.15.4' } })
    expect(install).toEqual(['pnpm', 'install'])
  })

  test('starts the program of a direct dependency without pnpm, and everything else with it', async () => {
    const startWith = (start: string, more = {}) =>
      startOf({
        'package.json': { scripts: { start, ...more }, dependencies: { next: '1' } },
        'pnpm-lock.yaml': '',
      })
    expect(await startWith('next start')).toBe('node_modules/.bin/next start')
    expect(await startWith('next start -p $PORT')).toBe('pnpm start')
    expect(await startWith('other')).toBe('pnpm start')
    expect(await startWith('next start', { prestart: 'x' })).toBe('pnpm start')
  })

  test.each([
    ['^22.1.0', '22'],
    ['>=18', '22'],
    ['20.x', '20'],
    ['>=23', '24'],
    ['16', '16'],
    ['lts/*', '22'],
  ])('honours engines %s with an image of Node %s', async (node, version) => {
    const manifest = { ...app, engines: { node } }
    const { app: found } = await plan({ 'package.json': manifest }, 'docker')
    expect(found).toMatchObject({ kind: 'node', version })
    expect(found.reasons.join()).toContain(`Node ${node}, because of engines`)
  })

  test('says on the process runtime if the host has another version of Node', async () => {
    const withEngine = (node: string) =>
      reasonsOf({ 'package.json': { ...app, engines: { node } } })
    const own = process.versions.node
    expect(await withEngine('16.x')).toContain(`asks for Node 16.x, and this host runs ${own}`)
    expect(await withEngine(`>=${own}`)).toContain(`Node >=${own}, because of engines`)
  })

  test.each([
    ['vite', { folder: 'dist', isSpa: true }],
    ['astro', { folder: 'dist', isSpa: false }],
    ['react-scripts', { folder: 'build', isSpa: true }],
  ])('serves the files that %s builds if there is no start script', async (name, site) => {
    const manifest = { scripts: { build: 'x' }, devDependencies: { [name]: '1' } }
    expect(await plan({ 'package.json': manifest, 'index.html': '' })).toMatchObject({
      build: ['npm', 'run', 'build'],
      app: { kind: 'node', site },
      launch: { start: expect.arrayContaining(['.strata/serve.cjs', site.folder]) },
    })
  })

  test('starts Next.js and servers of frameworks without a start script', async () => {
    const withPackage = (name: string) =>
      startOf({ 'package.json': { dependencies: { [name]: '1' } } })
    expect(await withPackage('next')).toBe('node_modules/.bin/next start -H ${HOST:-127.0.0.1}')
    expect(await withPackage('@astrojs/node')).toBe('node dist/server/entry.mjs')
    expect(
      await refusal({ 'package.json': { devDependencies: { vite: '1', '@sveltejs/kit': '2' } } }),
    ).toMatch(/SvelteKit needs @sveltejs\/adapter-node/)
  })

  test('installs a member of a pnpm or npm workspace in its root', async () => {
    const files = {
      'strata.json': { deploy: { root: 'apps/web' } },
      'apps/web/package.json': { scripts: { start: 'node a.js' } },
    }
    for (const more of [
      {
        'pnpm-workspace.yaml': 'packages:\n  - apps/*\n',
        'pnpm-lock.yaml': '',
        'package.json': {},
      },
      { 'package.json': { workspaces: ['apps/*'] }, 'package-lock.json': {} },
    ]) {
      const { app, install } = await plan({ ...files, ...more } as unknown as Files)
      expect(app).toMatchObject({ workspace: '' })
      expect(install?.[0]).toBe('pnpm-lock.yaml' in more ? 'pnpm' : 'npm')
    }
    const excluded = {
      'pnpm-workspace.yaml': 'packages: ["apps/*", "!apps/web"]',
      'package.json': {},
    }
    expect((await plan({ ...files, ...excluded } as unknown as Files)).app).toMatchObject({
      workspace: null,
    })
  })
})

describe('Go', () => {
  const goMod = { 'go.mod': 'module example.com/shop\n\ngo 1.22\n' }
  const main = 'package main\n'

  test('builds the one program of the folder, or below cmd', async () => {
    expect(await plan({ ...goMod, 'main.go': main })).toMatchObject({
      app: { kind: 'go', version: '1.22', hasSums: false },
      build: ['go', 'build', '-o', '.strata/app', '.'],
      launch: { start: ['.strata/app'] },
    })
    expect(
      await plan({ ...goMod, 'shop.go': 'package shop', 'cmd/web/main.go': main }),
    ).toMatchObject({
      build: ['go', 'build', '-o', '.strata/app', './cmd/web'],
    })
  })

  test('builds the program that a Procfile names', async () => {
    const files = { ...goMod, 'cmd/web/main.go': main, 'cmd/job/main.go': main }
    expect(await plan({ ...files, Procfile: 'web: bin/web -v' })).toMatchObject({
      build: ['go', 'build', '-o', 'bin/web', './cmd/web'],
      launch: { start: ['bin/web', '-v'] },
    })
    expect(await plan({ ...goMod, 'main.go': main, Procfile: 'web: shop' })).toMatchObject({
      build: ['go', 'build', '-o', '.strata/app', '.'],
      launch: { start: ['.strata/app'] },
    })
    expect(await refusal(files)).toMatch(/several folders.*\.\/cmd\/job, \.\/cmd\/web/)
  })
})

describe('static files', () => {
  test('are served if there is index.html, or from deploy.static', async () => {
    expect(await plan({ 'index.html': '' })).toMatchObject({
      app: { kind: 'static', site: { folder: '', isSpa: false } },
      launch: { start: ['node', '.strata/serve.cjs', '.'] },
    })
    const deploy = { static: { folder: 'public', spa: true } }
    expect(await startOf({ 'strata.json': { deploy }, 'public/a.html': '' })).toBe(
      'node .strata/serve.cjs public --spa',
    )
  })

  test('follow a build of Node if deploy.static names its output', async () => {
    const found = await plan({
      'package.json': { scripts: { build: 'x' }, dependencies: { a: '1' } },
      'strata.json': { deploy: { static: 'out' } },
    })
    expect(found).toMatchObject({
      build: ['npm', 'run', 'build'],
      app: { kind: 'node', site: { folder: 'out' } },
    })
  })
})

describe('precedence', () => {
  const dockerfile = { Dockerfile: 'FROM scratch' }

  test('of strata.json over a Procfile, and of a Procfile over the conventions', async () => {
    const files = { ...flask, Procfile: 'web: gunicorn app:app --bind :$PORT\nworker: python w.py' }
    expect(await startOf(files)).toBe('gunicorn app:app --bind :${PORT}')
    const deploy = { start: 'python serve.py' }
    expect(await startOf({ ...files, 'strata.json': { deploy } })).toBe('python serve.py')
  })

  test('of the processes of strata.json over those of a Procfile, by name', async () => {
    const files = {
      ...flask,
      Procfile:
        'web: python serve.py\nworker: python w.py\nmailer: QUEUE=mail python m.py $PORT\nrelease: x',
    }
    const { launch, app } = await plan(files)
    expect(launch.processes).toEqual([
      { name: 'worker', start: ['python', 'w.py'] },
      {
        name: 'mailer',
        start: ['python', 'm.py', '${PORT}'],
        startHasVariables: true,
        env: { QUEUE: 'mail' },
      },
    ])
    expect(app.reasons.join('\n')).toContain('Procfile: release does not run: add its command')
    const deploy = { processes: { worker: 'python better.py', web: ['python', 'main.py'] } }
    const own = await plan({ ...files, 'strata.json': { deploy } })
    expect(own.launch.start).toEqual(['python', 'main.py'])
    expect(own.launch.processes?.map(({ name, start }) => `${name}: ${start.join(' ')}`)).toEqual([
      'mailer: python m.py ${PORT}',
      'worker: python better.py',
    ])
    const twice = { start: 'a', processes: { web: 'b' } }
    expect(await refusal({ ...files, 'strata.json': { deploy: twice } })).toContain(
      'deploy.start and deploy.processes.web name the same command',
    )
    expect(await refusal({ ...flask, Procfile: 'web: x\nworker: a && b' })).toContain(
      'Procfile: the worker line',
    )
    const named = { processes: { Worker: 'x' } }
    expect(await refusal({ ...flask, 'strata.json': { deploy: named } })).toContain(
      'is not a process name',
    )
  })

  test('of a Dockerfile on the docker runtime, whose command deploy.start replaces', async () => {
    const files = { ...flask, ...dockerfile, Procfile: 'web: x' }
    expect(await plan(files, 'docker')).toMatchObject({
      app: { kind: 'dockerfile', dockerfile: 'Dockerfile' },
      install: null,
      build: null,
      launch: { start: [] },
    })
    const deploy = { start: 'serve', dockerfile: 'docker/web.Dockerfile' }
    expect(await plan({ ...files, 'strata.json': { deploy } }, 'docker')).toMatchObject({
      app: { dockerfile: 'docker/web.Dockerfile' },
      launch: { start: ['serve'] },
    })
  })

  test('of what else is recognized over a Dockerfile on the process runtime', async () => {
    expect(await reasonsOf({ ...flask, ...dockerfile })).toContain(
      'Dockerfile has no effect, because this daemon runs apps as processes',
    )
    expect(await refusal(dockerfile)).toMatch(/only a Dockerfile.*SERVICE_RUNTIME=docker/)
  })

  test('of a startable kind over one without a start command', async () => {
    const tools = { 'package.json': { devDependencies: { tailwindcss: '4' } } }
    expect((await plan({ ...tools, ...flask })).app.kind).toBe('python')
    expect((await plan({ ...tools, 'index.html': '' })).app.kind).toBe('static')
  })
})

test('a repository without a sign of an app gets the searched files and the lines to add', async () => {
  const message = await refusal({ 'README.md': '' })
  for (const sign of [
    'Dockerfile',
    'package.json',
    'requirements.txt',
    'go.mod',
    'index.html',
    'Procfile',
  ]) {
    expect(message).toContain(sign)
  }
  expect(message).toMatch(/\{\n {2}"deploy": \{ "start": "node server.js" \}\n\}$/)
  const inFolder = await refusal({ 'strata.json': { deploy: { root: 'web' } }, 'web/a': '' })
  expect(inFolder).toContain('recognized in web')
})

test('a start command without another sign runs with the program that it names', async () => {
  const kindOf = async (start: string) =>
    (await plan({ 'strata.json': { deploy: { start } } })).app.kind
  expect(await kindOf('python3 app.py')).toBe('python')
  expect(await kindOf('node app.js')).toBe('node')
  expect(await kindOf('./serve')).toBe('command')
})
