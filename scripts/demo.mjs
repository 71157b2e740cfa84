// The main job, from nothing to an answer: a project, a feature, the app on port 8080. With --once it stops there;
// without, the app runs until Ctrl-C.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'demo')
const project = join(folder, 'shop')
const port = process.env.PORT ?? '8080'
const url = `http://localhost:${port}`
const startMs = 120_000

await requireFreePort()
rmSync(project, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

step('strata init shop', folder, ['init', 'shop'])
step('strata feature Product …', project, [
  'feature',
  'Product',
  'name:string',
  'price:decimal(10,2)',
  'sold_out:bool:default=false',
])

say('npm start')
const app = spawn('npm', ['start'], {
  cwd: project,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PORT: port },
})
app.stdout.resume()
app.once('exit', (code) => process.exit(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.kill('SIGTERM'))
await answering()

const product = { name: 'A chair', price: '49.90' }
await show('POST', '/api/v1/products', product)
await show('GET', '/api/v1/products')
if (process.argv.includes('--once')) {
  app.kill('SIGTERM')
} else {
  say(`the app answers on ${url} (try ${url}/api/v1/products and ${url}/openapi.json)`)
  say('its code is in demo/shop; Ctrl-C stops it')
}

async function requireFreePort() {
  const probe = createServer()
  const error = await new Promise((resolve) => {
    probe.once('error', resolve).listen(Number(port), () => probe.close(() => resolve(undefined)))
  })
  if (!error) return
  process.stderr.write(
    `port ${port} is in use: stop what listens there, or run PORT=8081 npm run demo\n`,
  )
  process.exit(1)
}

function step(title, cwd, args) {
  say(title)
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'strata.js'), ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

async function answering() {
  const deadline = Date.now() + startMs
  while (Date.now() < deadline) {
    const isUp = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.stderr.write(`the app did not answer on ${url}\n`)
  app.kill('SIGTERM')
}

async function show(method, path, body) {
  const response = await fetch(url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  say(`${method} ${path} → ${response.status} ${await response.text()}`)
}

/** A line with the time since the start. */
function say(text) {
  process.stdout.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}
