import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { call, restore, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createGatedBuild, type GatedBuild } from '../support/stratad/gated-build.ts'
import { createHostedProject, type HostedProject } from '../support/stratad/hosted.ts'
import { plainApp } from '../support/stratad/plain-app.ts'
import { queueBecomesEmpty, rowOf, rowsOf, servesCommit } from '../support/stratad/project.ts'

let daemon: Daemon
beforeEach(async () => {
  daemon = await startDaemon()
})
afterEach(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
})

const deployOf = (build: string) => ({
  'build.js': build,
  'strata.json': JSON.stringify({ deploy: { build: ['node', 'build.js'] } }),
})
const failing = deployOf("console.error('the tests are red'); process.exit(3)")

const gates: GatedBuild[] = []
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close()
})

async function gatedApp(): Promise<GatedBuild> {
  const gate = await createGatedBuild(daemon)
  gates.push(gate)
  return gate
}

const head = ({ repository }: HostedProject) => repository.git('rev-parse', 'HEAD')

async function remoteRefs(project: HostedProject): Promise<Record<string, string>> {
  const { text } = await project.git(['ls-remote', project.url()])
  const pairs = text.split('\n').filter(Boolean)
  return Object.fromEntries(pairs.map((line) => line.split('\t').reverse()))
}

async function createToken(body: object): Promise<string> {
  return (await call(daemon, 'POST', '/tokens', body)).body.token
}

describe('a push to a hosted repository', () => {
  test('deploys, shows the build, and ends with the address', async () => {
    const files = { ...plainApp, ...deployOf("console.log('compiled 12 files')") }
    const project = await createHostedProject(daemon, 'shop', files)
    const { code, text } = await project.push()
    expect(text).toContain('remote:   compiled 12 files')
    const address = `http://main--shop.localhost:${daemon.gatewayPort}`
    expect(text).toContain(`remote: main: running at ${address}`)
    expect(code).toBe(0)
    expect((await visit(daemon, project.host())).body.commit).toBe(head(project))
    expect(await remoteRefs(project)).toEqual({
      HEAD: head(project),
      'refs/heads/main': head(project),
    })
    const { body: audit } = await call(daemon, 'GET', '/audit?kind=build_succeeded')
    expect(audit[0].operator).toBe('git:master')
  })

  test('can be cloned and fetched', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await project.push()
    const copy = join(daemon.dataDir, 'clones/copy')
    const cloned = await project.git(['clone', '--quiet', project.url(), copy])
    expect(cloned).toEqual({ code: 0, text: '' })
    expect(readFileSync(join(copy, 'server.js'), 'utf8')).toBe(plainApp['server.js'])
    const sha = project.repository.commit({ 'note.txt': 'second' })
    await project.push()
    await project.git(['pull', '--quiet'], { folder: copy })
    expect((await project.git(['rev-parse', 'HEAD'], { folder: copy })).text.trim()).toBe(sha)
    const shallow = join(daemon.dataDir, 'clones/shallow')
    const args = ['clone', '--quiet', '--depth=1', project.url(), shallow]
    expect((await project.git(args)).code).toBe(0)
    expect((await project.git(['rev-list', '--count', 'HEAD'], { folder: shallow })).text).toBe(
      '1\n',
    )
  })

  test('whose build fails is refused, and can be repeated', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await project.push()
    const first = head(project)
    project.repository.commit(failing)
    const { code, text } = await project.push()
    expect(code).toBe(1)
    expect(text).toContain('the tests are red')
    expect(text).toMatch(/! \[remote rejected\] HEAD -> main \(.*failed with exit code 3/)
    expect((await remoteRefs(project))['refs/heads/main']).toBe(first)
    expect((await visit(daemon, project.host())).body.commit).toBe(first)
    const failed = (await rowsOf(daemon, project)).at(-1)
    expect(failed).toMatchObject({ state: 'build_failed', branch: { commit_sha: head(project) } })
    expect((await project.push()).text).toMatch(/remote rejected/)
    expect(await rowsOf(daemon, project)).toHaveLength(3)
    const mended = project.repository.commit({ 'build.js': '' })
    expect((await project.push()).code).toBe(0)
    expect((await visit(daemon, project.host())).body.commit).toBe(mended)
  })

  test('of a first branch that fails leaves no branch', async () => {
    const project = await createHostedProject(daemon, 'shop', { ...plainApp, ...failing })
    expect((await project.push()).code).toBe(1)
    expect(await remoteRefs(project)).toEqual({})
  })

  test('of two branches deploys both and tells of each', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    project.repository.git('branch', 'good')
    project.repository.git('switch', '--quiet', '--create', 'bad')
    project.repository.commit(failing)
    const { code, text } = await project.push(['main', 'good', 'bad'])
    expect(code).toBe(1)
    expect(text).toContain('remote: good: running at')
    expect(text).toMatch(/\[new branch\] +good -> good/)
    expect(text).toMatch(/\[remote rejected\] bad -> bad/)
    expect(Object.keys(await remoteRefs(project)).sort()).toEqual([
      'HEAD',
      'refs/heads/good',
      'refs/heads/main',
    ])
    expect((await visit(daemon, project.host('good'))).status).toBe(200)
  })

  test('with --atomic changes all branches or none', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    project.repository.git('tag', 'v1')
    const { code, text } = await project.push(['--atomic', 'main', 'v1'])
    expect(code).toBe(1)
    expect(text).toMatch(/remote rejected.*main -> main/)
    expect(await remoteRefs(project)).toEqual({})
    expect(await rowsOf(daemon, project)).toEqual([])
  })

  test('that deletes a branch destroys its environment, but not the default branch', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    project.repository.git('branch', 'topic')
    await project.push(['main', 'topic'])
    const deleted = await project.push([':topic'])
    expect(deleted.code).toBe(0)
    expect(deleted.text).toContain('remote: topic: its environment is destroyed')
    expect(await rowOf(daemon, project, 'topic')).toMatchObject({ state: 'destroyed' })
    const main = await project.push([':main'])
    expect(main.code).toBe(1)
    expect(main.text).toContain('the default branch stays')
    expect((await visit(daemon, project.host())).status).toBe(200)
  })

  test('that the branch filters exclude is stored and not deployed', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await call(daemon, 'PATCH', `/projects/${project.id}`, { branches: ['main'] })
    project.repository.git('branch', 'topic')
    const { code, text } = await project.push(['topic'])
    expect(code).toBe(0)
    expect(text).toContain('remote: topic: stored; the branch filters exclude its deploy')
    expect(await rowsOf(daemon, project)).toEqual([])
  })

  test('accepts one of two pushes to a branch at once', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await project.push()
    const pushes = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const folder = join(daemon.dataDir, 'clones', name)
        await project.git(['clone', '--quiet', project.url(), folder])
        const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
        await project.git([...author, 'commit', '--allow-empty', '--message', name], { folder })
        return project.push(['HEAD:main'], { folder })
      }),
    )
    const codes = pushes.map(({ code }) => code)
    expect([...codes].sort()).toEqual([0, 1])
    const refused = pushes[codes.indexOf(1)]?.text
    expect(refused).toMatch(/another push has changed the branch|fetch first|incorrect old value/)
    expect(await queueBecomesEmpty(daemon)).toBe(true)
  })

  test('continues its deploy if the pusher ends', async () => {
    const app = await gatedApp()
    const project = await createHostedProject(daemon, 'shop', app.files)
    const push = project.start(['push', project.url(), 'main'])
    expect(await app.begun()).toBe(true)
    expect(await eventually(() => push.text().includes('waiting for the gate'), 10_000)).toBe(true)
    push.kill('SIGINT')
    await push.ended
    app.open()
    expect(await servesCommit(daemon, project, head(project))).toBe(true)
    expect((await remoteRefs(project))['refs/heads/main']).toBe(head(project))
  })

  test('that a killed daemon has accepted is deployed by the next one', async () => {
    const app = await gatedApp()
    const project = await createHostedProject(daemon, 'shop', app.files)
    const push = project.start(['push', project.url(), 'main'])
    expect(await app.begun()).toBe(true)
    await daemon.stop('SIGKILL')
    expect((await push.ended).code).not.toBe(0)
    daemon = await daemon.restart()
    // The start of a daemon clears the folder of releases.
    app.open()
    expect(await servesCommit(daemon, project, head(project))).toBe(true)
    expect((await remoteRefs(project))['refs/heads/main']).toBe(head(project))
    const states = (await rowsOf(daemon, project)).map(({ state }) => state)
    expect(states.filter((state) => state === 'building')).toEqual([])
    const again = await project.push()
    expect(again).toMatchObject({ code: 0, text: expect.stringContaining('up-to-date') })
  })

  test('is answered when the daemon stops, and deployed after the next start', async () => {
    const app = await gatedApp()
    const project = await createHostedProject(daemon, 'shop', app.files)
    const push = project.start(['push', project.url(), 'main'])
    expect(await app.begun()).toBe(true)
    expect(await daemon.stop('SIGTERM')).toBe(0)
    expect(await push.ended).toMatchObject({
      code: 0,
      text: expect.stringContaining('main: accepted; the deploy continues'),
    })
    daemon = await daemon.restart()
    app.open()
    expect(await servesCommit(daemon, project, head(project))).toBe(true)
  })
})

describe('a hosted repository refuses', () => {
  test('tags, and refs of the daemon', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    for (const ref of ['refs/tags/v1', 'refs/strata/before/main', 'refs/notes/x']) {
      const { code, text } = await project.push([`HEAD:${ref}`])
      expect({ ref, code }).toEqual({ ref, code: 1 })
      expect(text).toMatch(/only branches can be pushed here|deny updating a hidden ref/)
    }
    expect(await remoteRefs(project)).toEqual({})
  })

  test('branch names that git clients can not send', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await project.push()
    for (const name of ['a..b', '-x', 'a b', '../../config', 'x.lock']) {
      const answer = await sendRef(`refs/heads/${name}`, head(project))
      expect({ name, answer }).toEqual({
        name,
        answer: expect.stringMatching(
          /ng refs\/heads\/.* (invalid branch name|funny refname|failed to report status)/,
        ),
      })
    }
    expect(Object.keys(await remoteRefs(project))).toEqual(['HEAD', 'refs/heads/main'])
  })

  test('a tree with a folder .git', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    const { repository } = project
    const blob = repository.git('rev-parse', 'HEAD:server.js')
    const file = Buffer.concat([Buffer.from('100644 config\0'), Buffer.from(blob, 'hex')])
    const inner = writeObject(repository.folder, 'tree', file)
    const folder = Buffer.concat([Buffer.from('40000 .git\0'), Buffer.from(inner, 'hex')])
    const tree = writeObject(repository.folder, 'tree', folder)
    const commit = repository.git('commit-tree', tree, '-m', 'hostile')
    const { code, text } = await project.push([`${commit}:refs/heads/main`])
    expect(code).not.toBe(0)
    expect(text).toMatch(/hasDotgit/)
    expect(await remoteRefs(project)).toEqual({})
  })

  test('a symlink that leaves the repository', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    const { repository } = project
    repository.git('config', 'core.symlinks', 'true')
    const link = writeObject(repository.folder, 'blob', Buffer.from('/etc/shadow'))
    repository.git('update-index', '--add', '--cacheinfo', `120000,${link},config`)
    repository.git('commit', '--quiet', '--message', 'link')
    const { code, text } = await project.push()
    expect(code).toBe(1)
    expect(text).toMatch(/remote rejected.*symlink config leaves the deployed folder/)
    expect(await remoteRefs(project)).toEqual({})
  })

  test('a pack that is too large or corrupt', async () => {
    daemon.process.kill('SIGTERM')
    await daemon.ended()
    daemon = await daemon.restart({ SERVICE_GIT_MAX_PUSH_MB: '1' })
    const project = await createHostedProject(daemon, 'shop', plainApp)
    const noise = createNoise(2 * 2 ** 20)
    writeFileSync(join(project.repository.folder, 'noise.bin'), noise)
    project.repository.commit({ 'note.txt': 'large' })
    const large = await project.push()
    expect(large.code).not.toBe(0)
    expect(large.text).toMatch(/exceeds maximum allowed size/)
    expect(await remoteRefs(project)).toEqual({})
    const corrupt = await sendRef('refs/heads/main', head(project), Buffer.from('PACK nonsense'))
    expect(corrupt).toMatch(/unpack (?!ok)/)
    expect(await remoteRefs(project)).toEqual({})
    expect(readdirSync(objectsOf(project)).sort()).toEqual(['info', 'pack'])
  })

  test('a wrong token, a missing one, a low role and a token of another project', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await createHostedProject(daemon, 'other', plainApp)
    const viewer = await createToken({ name: 'reader', role: 'viewer', projects: [project.id] })
    const outside = await createToken({ name: 'outside', role: 'admin', projects: [2] })
    const developer = await createToken({ name: 'ada', role: 'developer', projects: [project.id] })
    expect((await project.push(['main'], { token: 'wrong' })).text).toMatch(/Authentication failed/)
    expect((await project.push(['main'], { token: viewer })).text).toMatch(
      /this needs the role developer[\s\S]*403/,
    )
    expect((await project.push(['main'], { token: outside })).text).toMatch(/not found/)
    const absent = project.url(outside).replace('shop', 'absent')
    expect((await project.git(['ls-remote', absent])).text.replaceAll('absent', 'shop')).toBe(
      (await project.git(['ls-remote', project.url(outside)])).text,
    )
    expect(await rowsOf(daemon, project)).toEqual([])
    expect((await project.push(['main'], { token: developer })).code).toBe(0)
    expect((await project.git(['ls-remote', project.url(viewer)])).code).toBe(0)
    const { body } = await call(daemon, 'GET', `/audit?project_id=${project.id}&limit=1`)
    expect(body[0].operator).toBe('git:ada')
    const without = await call(daemon, 'GET', '/', undefined, { token: null })
    expect(without.status).toBe(404)
    const url = `http://127.0.0.1:${daemon.port}/git/shop.git/info/refs?service=git-upload-pack`
    const answer = await fetch(url)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="stratad", charset="UTF-8"')
  })

  test('files of the repository, and other paths', async () => {
    const project = await createHostedProject(daemon, 'shop', plainApp)
    await project.push()
    const headers = { authorization: `Bearer ${masterToken}` }
    for (const path of ['HEAD', 'config', 'objects/info/packs', 'info/refs', '../1/config', '']) {
      const url = `http://127.0.0.1:${daemon.port}/git/shop.git/${path}`
      const { status } = await fetch(url, { headers })
      expect({ path, isRefused: status >= 400 }).toEqual({ path, isRefused: true })
    }
  })
})

test('a token of a push is in no log, no process list and no file of the repository', async () => {
  const app = await gatedApp()
  const project = await createHostedProject(daemon, 'shop', app.files)
  const token = await createToken({ name: 'ada', role: 'developer' })
  const encoded = Buffer.from(`ada:${token}`).toString('base64')
  const push = project.start(['push', project.url(token), 'main'])
  expect(await app.begun()).toBe(true)
  // The clients of the test itself carry the token in their arguments.
  const own = new Set(['git', 'git-remote-http'])
  const shown = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => !own.has(read(`/proc/${pid}/comm`).trim()))
    .flatMap((pid) => [read(`/proc/${pid}/cmdline`), read(`/proc/${pid}/environ`)])
    .filter((text) => !text.startsWith('git\0push'))
  for (const text of [...shown, daemon.output()]) {
    expect(text.includes(token) || text.includes(encoded)).toBe(false)
  }
  app.open()
  expect((await push.ended).code).toBe(0)
  expect(daemon.output()).not.toContain(token)
})

test('a deleted project moves its repository to the trash', async () => {
  const project = await createHostedProject(daemon, 'shop', plainApp)
  await project.push()
  expect((await call(daemon, 'DELETE', `/projects/${project.id}`)).status).toBe(204)
  expect((await project.git(['ls-remote', project.url()])).text).toMatch(/not found/)
  const { body: trash } = await call(daemon, 'GET', '/trash')
  expect(trash).toEqual([expect.objectContaining({ project: 'shop', branch: 'repository' })])
  const { body: next } = await call(daemon, 'POST', '/projects', { hosted: 'shop' })
  expect(next.id).not.toBe(project.id)
  expect(await remoteRefs(project)).toEqual({})
  const path = `/trash/${trash[0].id}/restore`
  const restored = await call(daemon, 'POST', path, { project_id: next.id })
  expect(restored).toMatchObject({ status: 200 })
  expect((await remoteRefs(project))['refs/heads/main']).toBe(head(project))
  project.repository.commit({ 'note.txt': 'second' })
  expect((await project.push()).code).toBe(0)
  await call(daemon, 'DELETE', `/projects/${next.id}`)
  const [entry] = (await call(daemon, 'GET', '/trash')).body
  const { body: third } = await call(daemon, 'POST', '/projects', { hosted: 'shop' })
  await project.push()
  const refused = await call(daemon, 'POST', `/trash/${entry.id}/restore`, { project_id: third.id })
  expect(refused).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/has branches/) },
  })
})

test('a backup with data brings a hosted repository back', async () => {
  daemon.process.kill('SIGTERM')
  await daemon.ended()
  daemon = await daemon.restart({ SERVICE_ALLOW_RESTORE: '1' })
  const project = await createHostedProject(daemon, 'shop', plainApp)
  await call(daemon, 'POST', '/projects', { hosted: 'empty' })
  await project.push()
  const first = head(project)
  const { bytes } = await call(daemon, 'GET', '/backup?data=true')
  project.repository.commit({ 'note.txt': 'second' })
  expect((await project.push()).code).toBe(0)
  expect((await restore(daemon, bytes)).status).toBe(202)
  await daemon.stop('SIGTERM')
  daemon = await daemon.restart()
  expect(await remoteRefs(project)).toEqual({ HEAD: first, 'refs/heads/main': first })
  expect((await project.push()).code).toBe(0)
  const settings = readFileSync(join(objectsOf(project), '../config'), 'utf8')
  expect(settings).not.toContain('remote')
})

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function objectsOf(project: HostedProject): string {
  return join(daemon.dataDir, 'volumes', String(project.id), 'repository/objects')
}

/** Returns bytes that no compression makes smaller, the same ones in each run. */
function createNoise(size: number): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at * 32 < size; at += 1) {
    blocks.push(createHash('sha256').update(String(at)).digest())
  }
  return Buffer.concat(blocks, size)
}

/** Writes an object that git's own commands would refuse. */
function writeObject(folder: string, type: string, content: Buffer): string {
  const data = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(data).digest('hex')
  const parent = join(folder, '.git/objects', id.slice(0, 2))
  mkdirSync(parent, { recursive: true })
  writeFileSync(join(parent, id.slice(2)), deflateSync(data))
  return id
}

/** Sends a push of one new ref as bytes, with an empty pack or the given one. */
async function sendRef(ref: string, commit: string, pack = emptyPack()): Promise<string> {
  const line = `${'0'.repeat(40)} ${commit} ${ref}\0report-status`
  const packet = `${(Buffer.byteLength(line) + 4).toString(16).padStart(4, '0')}${line}0000`
  const answer = await fetch(`http://127.0.0.1:${daemon.port}/git/shop.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`x:${masterToken}`).toString('base64')}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: Buffer.concat([Buffer.from(packet), pack]),
  })
  return answer.text()
}

function emptyPack(): Buffer {
  const head = Buffer.from('5041434b0000000200000000', 'hex')
  return Buffer.concat([head, createHash('sha1').update(head).digest()])
}
