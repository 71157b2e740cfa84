import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../test/support/free-port.ts'
import { type Program, type Started, startBare } from './bare-start.ts'
import type { Deployed } from './hosting.ts'
import { hasNpmPeers, peerProgram } from './peers.ts'
import { findProgram } from './processes.ts'

/** A running reverse proxy in front of one app. */
export interface ReverseProxy extends Started {
  readonly key: string
}

/** Proxies of the system with their configuration. Each runs one worker, like the gateway. */
const installed = {
  nginx: {
    file: 'nginx.conf',
    argv: (file: string, folder: string) => ['-p', folder, '-c', file, '-e', 'stderr'],
    text: (port: number, app: number) => `
daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 1000000;
  upstream app { server 127.0.0.1:${app}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://app;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
    }
  }
}
`,
  },
  haproxy: {
    file: 'haproxy.cfg',
    argv: (file: string) => ['-f', file, '-db'],
    text: (port: number, app: number) => `
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  option forwardfor
  http-reuse always
listen app
  bind 127.0.0.1:${port}
  server app 127.0.0.1:${app}
`,
  },
  caddy: {
    file: 'Caddyfile',
    argv: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'],
    text: (port: number, app: number) => `
{
  admin off
  auto_https off
  log {
    level ERROR
  }
}
http://:${port} {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:${app}
}
`,
  },
} as const

type Installed = keyof typeof installed
const names: readonly Installed[] = ['nginx', 'haproxy', 'caddy']
const npmPeers = ['http-proxy', 'httpxy'] as const

export interface Proxies {
  readonly started: readonly ReverseProxy[]
  /** Proxies that are not installed or did not start, with the reason. */
  readonly missing: readonly string[]
}

/** Starts every installed proxy in front of an app; `folder` holds their files. */
export async function startProxies(folder: string, app: Deployed): Promise<Proxies> {
  const started: ReverseProxy[] = []
  const missing: string[] = []
  const start = async (key: string, program: Program, port: number) => {
    try {
      const isRight = (text: string) => text === app.text
      started.push({ key, ...(await startBare(program, { path: app.path, isRight, port })) })
    } catch (error) {
      missing.push(`${key}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const target = `http://127.0.0.1:${app.port}`
  for (const key of npmPeers) {
    if (hasNpmPeers())
      await start(key, peerProgram(`${key}.js`, { TARGET: target }), await freePort())
    else missing.push(`${key}: run \`npm ci --prefix bench/daemon/peers\` first`)
  }
  for (const key of names) {
    const path = findProgram(key)
    const port = await freePort()
    const place = { folder: join(folder, key), port, app: app.port }
    if (path === undefined) missing.push(`${key}: not installed`)
    else await start(key, programOf(key, { path, ...place }), port)
  }
  return { started, missing }
}

function programOf(
  key: Installed,
  { path, folder, port, app }: { path: string; folder: string; port: number; app: number },
): Program {
  const { file, argv, text } = installed[key]
  mkdirSync(folder, { recursive: true })
  const configuration = join(folder, file)
  writeFileSync(configuration, text(port, app))
  const { PATH = '', LD_LIBRARY_PATH = '' } = process.env
  return {
    argv: [path, ...argv(configuration, folder)],
    cwd: folder,
    env: { PATH, LD_LIBRARY_PATH, HOME: folder },
  }
}
