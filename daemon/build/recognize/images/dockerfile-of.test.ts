import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  createApp,
  type Files,
  temporaryFolder,
} from '../../../../test/support/daemon/build/app.ts'
import { planOf } from '../../plan.ts'
import { dockerfileOf } from './dockerfile-of.ts'
import { baseImage, defaultImages, readImageSettings } from './image-settings.ts'

const defaults = { memoryMb: 256, pids: 512, keepReleases: 3, healthTimeoutMs: 1000 }

async function imageOf(files: Files, images = defaultImages): Promise<string> {
  const checkout = createApp(join(temporaryFolder(), 'app'), files)
  return dockerfileOf(await planOf(checkout, { ...defaults, runtime: 'docker' }), images)
}

const node = {
  'package.json': {
    scripts: { start: 'node dist/a.js', build: 'tsc' },
    dependencies: { a: '1' },
    engines: { node: '^20' },
  },
  'package-lock.json': '{}',
}

test('an image of a Node app with npm', async () => {
  expect(await imageOf(node)).toMatchInlineSnapshot(`
    "FROM node:20-bookworm-slim AS build
    USER 0
    ENV CI=true
    ENV PATH=/app/node_modules/.bin:$PATH
    WORKDIR /app
    COPY package.json package-lock.json ./
    RUN --mount=type=cache,target=/root/.npm ["npm", "ci", "--include=dev"]
    COPY . /app
    WORKDIR /app
    RUN --mount=type=cache,target=/root/.cache ["npm", "run", "build"]
    WORKDIR /app
    RUN ["npm", "prune", "--omit=dev"]

    FROM node:20-bookworm-slim
    USER 0
    ENV PATH=/app/node_modules/.bin:$PATH
    WORKDIR /app
    COPY --from=build --chown=1000:1000 /app /app
    ENV HOST=0.0.0.0
    ENV PORT=8080
    ENV NODE_ENV=production
    EXPOSE 8080
    USER 1000:1000
    CMD ["node", "dist/a.js"]
    "
  `)
})

test('plain variables of the commit are in the build and in the image', async () => {
  const env = { PUBLIC_URL: 'https://example.com/$x "y"', LINES: 'a\nb', PATH: '/own' }
  const text = await imageOf({ ...node, 'strata.json': { deploy: { env } } })
  const line = 'ENV PUBLIC_URL="https://example.com/\\$x \\"y\\""\n'
  expect(text.split(line)).toHaveLength(3)
  expect(text.indexOf(line)).toBeGreaterThan(text.indexOf('"ci"'))
  expect(text.indexOf(line)).toBeLessThan(text.indexOf('"build"'))
  expect(text).not.toMatch(/LINES|\/own/)
})

test('an image of a member of a pnpm workspace', async () => {
  const files = {
    'package.json': { packageManager: 'pnpm@9.15.4' },
    'pnpm-lock.yaml': '',
    'pnpm-workspace.yaml': 'packages: [apps/*]',
    'apps/web/package.json': { scripts: { start: 'node a.js', build: 'tsc' } },
    'strata.json': { deploy: { root: 'apps/web' } },
  }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM node:22-bookworm-slim AS build
    USER 0
    RUN ["npm", "install", "--global", "pnpm@9.15.4"]
    ENV CI=true
    ENV PATH=/app/apps/web/node_modules/.bin:$PATH
    WORKDIR /app
    COPY . /app
    RUN --mount=type=cache,target=/root/.local/share/pnpm/store ["pnpm", "install", "--frozen-lockfile", "--store-dir=/root/.local/share/pnpm/store"]
    WORKDIR /app/apps/web
    RUN --mount=type=cache,target=/root/.cache ["pnpm", "run", "build"]

    FROM node:22-bookworm-slim
    USER 0
    ENV PATH=/app/apps/web/node_modules/.bin:$PATH
    WORKDIR /app/apps/web
    COPY --from=build --chown=1000:1000 /app /app
    ENV HOST=0.0.0.0
    ENV PORT=8080
    ENV NODE_ENV=production
    EXPOSE 8080
    USER 1000:1000
    CMD ["node", "a.js"]
    "
  `)
})

test('an image of the files that a Node build makes', async () => {
  const files = {
    'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '6' } },
    'yarn.lock': '',
  }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM node:22-bookworm-slim AS build
    USER 0
    RUN ["npm", "install", "--global", "yarn@1"]
    ENV CI=true
    ENV PATH=/app/node_modules/.bin:$PATH
    WORKDIR /app
    COPY package.json yarn.lock ./
    RUN --mount=type=cache,target=/usr/local/share/.cache/yarn ["yarn", "install", "--frozen-lockfile"]
    COPY . /app
    WORKDIR /app
    RUN --mount=type=cache,target=/root/.cache ["yarn", "run", "build"]

    FROM caddy:2-alpine
    USER 0
    RUN ["cp", "/usr/bin/caddy", "/usr/local/bin/strata-caddy"]
    RUN printf '%s\\n' '{' 'admin off' 'auto_https off' '}' ':{$PORT:8080} {' 'root * /srv' '@hidden path */.* /strata.json' 'error @hidden 404' 'try_files {path} {path}.html {path}/index.html /index.html' 'file_server' 'handle_errors {' 'rewrite * /{err.status_code}.html' 'file_server' '}' '}' > /etc/strata.Caddyfile
    ENV HOME=/tmp
    WORKDIR /srv
    COPY --from=build /app/dist /srv
    ENV HOST=0.0.0.0
    ENV PORT=8080
    EXPOSE 8080
    USER 1000:1000
    CMD ["/usr/local/bin/strata-caddy", "run", "--config", "/etc/strata.Caddyfile", "--adapter", "caddyfile"]
    "
  `)
})

test('an image of a Flask app', async () => {
  const files = {
    'requirements.txt': 'flask\ngunicorn',
    'app.py': 'from flask import Flask\napp = Flask(__name__)',
    Procfile: 'web: gunicorn app:app --bind 0.0.0.0:$PORT --workers ${WEB_CONCURRENCY:-2}',
  }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM python:3.12-slim-bookworm
    USER 0
    RUN ["python3", "-m", "venv", "/venv"]
    ENV PATH=/venv/bin:$PATH
    ENV PIP_DISABLE_PIP_VERSION_CHECK=1
    WORKDIR /app
    COPY requirements.txt ./
    RUN --mount=type=cache,target=/root/.cache/pip ["pip", "install", "-r", "requirements.txt"]
    COPY --chown=1000:1000 . /app
    ENV PYTHONUNBUFFERED="1"
    ENV HOST=0.0.0.0
    ENV PORT=8080
    EXPOSE 8080
    USER 1000:1000
    CMD ["gunicorn", "app:app", "--bind", "0.0.0.0:8080", "--workers", "2"]
    "
  `)
})

test('an image of a Python app with pyproject.toml, in a folder', async () => {
  const files = {
    'api/pyproject.toml':
      '[project]\ndependencies = ["fastapi>=0.1", "uvicorn"]\nrequires-python = "==3.11.*"',
    'api/main.py': 'app = FastAPI()',
    'api/src/x.py': '',
    'strata.json': { deploy: { root: 'api' } },
  }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM python:3.11-slim-bookworm
    USER 0
    RUN ["python3", "-m", "venv", "/venv"]
    ENV PATH=/venv/bin:$PATH
    ENV PIP_DISABLE_PIP_VERSION_CHECK=1
    WORKDIR /app/api
    RUN --mount=type=cache,target=/root/.cache/pip ["pip", "install", "--", "fastapi>=0.1", "uvicorn"]
    COPY --chown=1000:1000 . /app
    ENV PYTHONUNBUFFERED="1"
    ENV PYTHONPATH="src"
    ENV HOST=0.0.0.0
    ENV PORT=8080
    EXPOSE 8080
    USER 1000:1000
    CMD ["uvicorn", "main:app", "--host", "0.0.0.0", "--port", "8080"]
    "
  `)
})

test('an image of a Go app, from an empty image', async () => {
  const files = { 'go.mod': 'module x\ngo 1.22', 'go.sum': '', 'main.go': 'package main' }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM golang:1.22-bookworm AS build
    USER 0
    ENV CGO_ENABLED=0
    ENV GOMODCACHE=/go/pkg/mod
    ENV GOCACHE=/root/.cache/go-build
    WORKDIR /app
    COPY go.mod go.sum ./
    RUN --mount=type=cache,target=/go/pkg/mod ["go", "mod", "download"]
    COPY . /app
    RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build ["go", "build", "-o", ".strata/app", "."]

    FROM scratch
    COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
    WORKDIR /app
    COPY --from=build --chown=1000:1000 /app /app
    ENV HOST=0.0.0.0
    ENV PORT=8080
    EXPOSE 8080
    USER 1000:1000
    CMD [".strata/app"]
    "
  `)
})

test('an image of static files', async () => {
  const files = { 'public/index.html': '', 'strata.json': { deploy: { static: 'public' } } }
  expect(await imageOf(files)).toMatchInlineSnapshot(`
    "FROM caddy:2-alpine
    USER 0
    RUN ["cp", "/usr/bin/caddy", "/usr/local/bin/strata-caddy"]
    RUN printf '%s\\n' '{' 'admin off' 'auto_https off' '}' ':{$PORT:8080} {' 'root * /srv' '@hidden path */.* /strata.json' 'error @hidden 404' 'try_files {path} {path}.html' 'file_server' 'handle_errors {' 'rewrite * /{err.status_code}.html' 'file_server' '}' '}' > /etc/strata.Caddyfile
    ENV HOME=/tmp
    WORKDIR /srv
    COPY public /srv
    ENV HOST=0.0.0.0
    ENV PORT=8080
    EXPOSE 8080
    USER 1000:1000
    CMD ["/usr/local/bin/strata-caddy", "run", "--config", "/etc/strata.Caddyfile", "--adapter", "caddyfile"]
    "
  `)
})

test('a start command without a known image is refused', async () => {
  const files = { 'strata.json': { deploy: { start: './serve' } }, serve: '' }
  await expect(imageOf(files)).rejects.toMatchObject({
    kind: 'unprocessable',
    message: expect.stringMatching(/no image .*\.\/serve: add a Dockerfile/),
  })
})

test('base images come from settings, with the version of the app in their place', async () => {
  const { images, faults } = readImageSettings({
    SERVICE_IMAGE_NODE: 'registry.test:5000/node:{version}',
    SERVICE_IMAGE_GO: 'not an image',
    SERVICE_IMAGE_STATIC: '',
  })
  expect(await imageOf(node, images)).toMatch(/^FROM registry\.test:5000\/node:20 AS build$/m)
  expect(images.static).toBe(defaultImages.static)
  expect(images.go).toBe(defaultImages.go)
  expect(faults).toEqual([expect.stringMatching(/^SERVICE_IMAGE_GO must be an image name/)])
  expect(baseImage('node:local', '22')).toBe('node:local')
})
