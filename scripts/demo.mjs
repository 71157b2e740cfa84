// Generates a blog with users, deploys the blog to a separate daemon, pauses it and wakes it. Then
// serves the blog until Ctrl-C, which stops blog and daemon. With --once it stops them at once and
// removes demo/, the folder of all files.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'demo')
const blog = join(folder, 'blog')
const dataDir = join(folder, 'daemon')
const config = join(folder, 'config')
const posts = '/api/v1/posts'

/** Separates the demo's contexts and daemon from those of the user. */
const env = { ...process.env, XDG_CONFIG_HOME: config }
for (const name of Object.keys(env)) if (/^(SERVICE|STRATA|GIT)_/.test(name)) delete env[name]
env.SERVICE_DATA_DIR = dataDir

const children = new Set()
let isEnding = false
let isServing = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => void (isServing ? endServing() : end(130)))
}

try {
  await play()
  if (process.argv.includes('--once')) await end(0)
  isServing = true
  // Keeps the process running until a signal.
  setInterval(() => {}, 60_000)
} catch (error) {
  if (!isEnding) process.stderr.write(`${error.message}\n`)
  await end(1)
}

async function play() {
  await stopDaemon()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const [apiPort, port] = [await freePort(9000), await freePort(9080)]

  await strata(folder, ['init', 'blog', '--auth', '--no-git'])
  // Without a repository of its own, the blog would be committed to this checkout.
  await git(['init', '--quiet', '--initial-branch', 'main'])
  const tag = ['name:string', 'slug:string:unique', '--protect', 'write']
  await strata(blog, ['feature', 'Tag', ...tag])
  const post = ['title:string', 'content:text', 'author_id:uint:fk(User)', 'tags:many(Tag)']
  const access = ['--search', 'title,content', '--owner', 'author_id']
  await strata(blog, ['feature', 'Post', ...post, ...access])
  await git(['add', '--all'])
  await git(['commit', '--quiet', '--message', 'a blog'])

  const ports = ['--port', `${apiPort}`, '--gateway-port', `${port}`]
  await strata(blog, ['daemon', 'start', ...ports])
  await strata(blog, ['env', 'set', 'JWT_SECRET'], randomBytes(32).toString('hex'))
  const { url: host } = JSON.parse(await strata(blog, ['up', '--json']))

  const user = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }
  const { token } = await show(port, host, 'POST', '/api/v1/auth/register', { body: user })
  const body = { title: 'Hello', content: 'Written through the gateway.', tags: [] }
  await show(port, host, 'POST', posts, { body, token })
  await strata(blog, ['pause'])
  say('asleep: the app uses no memory, and the next request wakes it')
  await show(port, host, 'GET', posts)

  say(`live: http://${host}:${port}${posts}`)
  if (process.argv.includes('--once')) return
  say(
    'deploy a change: commit it in demo/blog and run XDG_CONFIG_HOME=../config ../../bin/strata.js up',
  )
  say('Ctrl-C stops the daemon and the blog')
}

/** Stops all processes of the demo, and keeps its files: they may have changes of the user. */
async function endServing() {
  if (isEnding) return
  isEnding = true
  say('stopping the daemon and the blog …')
  await stopDaemon()
  say('stopped; the files stay in demo/ until the next run')
  process.exit(0)
}

/** Stops all processes of the demo and removes demo/. */
async function end(code) {
  if (isEnding) return
  isEnding = true
  for (const child of children) child.kill('SIGTERM')
  await stopDaemon()
  rmSync(folder, { recursive: true, force: true })
  say('stopped and cleaned up')
  process.exit(code)
}

/** Stops the daemon of this run, or of an earlier run that was killed. */
function stopDaemon() {
  const args = [join(root, 'bin/strata.js'), 'daemon', 'stop', '--apps', '--data-dir', dataDir]
  return new Promise((resolve) => {
    const stop = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true })
    stop.once('close', resolve)
  })
}

function strata(cwd, args, input = '') {
  say(`strata ${args.map(quoted).join(' ')}`)
  return run(process.execPath, [join(root, 'bin/strata.js'), ...args], cwd, input)
}

function git(args) {
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com']
  return run('git', [...author, ...args], blog)
}

/** Runs a command and returns its stdout. Its stderr is inherited. */
function run(command, args, cwd, input = '') {
  if (isEnding) throw new Error('stopped')
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
    children.add(child)
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    child.stdin.on('error', () => {}).end(input)
    child.once('error', reject)
    child.once('close', (code) => {
      children.delete(child)
      if (code === 0) resolve(printed)
      else reject(new Error(`${args.join(' ')} exited with ${code}\n${printed}`))
    })
  })
}

async function show(port, host, method, path, { body, token } = {}) {
  const startedAt = performance.now()
  const { status, text } = await ask(port, host, method, path, { body, token })
  const ms = Math.round(performance.now() - startedAt)
  const shown = text.replace(/"token":"[^"]*"/, '"token":"…"')
  say(`${method} ${path} → ${status} in ${ms} ms: ${shown}`)
  if (status >= 400) throw new Error(`${method} ${path} failed with ${status}`)
  return JSON.parse(text)
}

/** Sends a request to 127.0.0.1 with a Host header, as not every system resolves names under localhost. */
function ask(port, host, method, path, { body, token }) {
  const headers = {
    host: `${host}:${port}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers }
    const asked = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('error', reject)
      response.once('end', () => resolve({ status: response.statusCode, text }))
    })
    asked.once('error', reject).end(body && JSON.stringify(body))
  })
}

/** Returns the preferred port, or a random free port if it is taken. */
function freePort(preferred) {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', () => (preferred === 0 ? reject : resolve)(freePort(0)))
    probe.listen(preferred, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

function quoted(word) {
  return /^[\w./:,=-]+$/.test(word) ? word : `'${word}'`
}

/** Prints a line with the time since the start. */
function say(text) {
  process.stdout.write(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
}
