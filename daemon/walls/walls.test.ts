import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../test/support/apps/eventually.ts'
import { projectDraft } from '../../test/support/daemon/store/record-drafts.ts'
import { tempStore } from '../../test/support/daemon/store/temp-store.ts'
import type { Cell, CellSpawn, Database, Walls } from '../ports.ts'
import { createWalls } from './walls.ts'

/** Users, namespaces and control groups can be created only by root, and only on Linux. */
const isRoot = process.platform === 'linux' && process.geteuid?.() === 0
const describeAsRoot = describe.skipIf(!isRoot)

let dataDir: string
let store: Database
const opened: Walls[] = []
const groups = new Set<string>()
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'strata-walls-'))
  store = await tempStore()
})
afterEach(async () => {
  for (const walls of opened.splice(0)) {
    for (const group of groups) await walls.end(group)
    walls.close()
  }
  rmSync(dataDir, { recursive: true, force: true })
})

async function open(range: [number, number] = [70_000, 99_999]): Promise<Walls> {
  const [from, to] = range
  const walls = await createWalls({ dataDir, store, uidRange: { from, to } })
  opened.push(walls)
  return walls
}

/** Creates the release of a project with one program. */
async function release(cell: Cell, projectId: number, source: string): Promise<string> {
  const folder = mkdtempSync(join(ensured(join(dataDir, `releases/${projectId}`)), 'release-'))
  writeFileSync(join(folder, 'app.cjs'), source)
  await cell.own(folder)
  return folder
}

function ensured(folder: string): string {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o711)
  return folder
}

const limits = { memoryMb: 256, cpus: null, pids: 200 }

async function start(cell: Cell, folder: string, changes: Partial<CellSpawn> = {}) {
  const group = changes.group ?? 'app'
  groups.add(group)
  const child = await cell.spawn('node', ['app.cjs'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
    group,
    limits,
    ...changes,
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code, signal, output })) }
}

/** Runs a program in the cell of project 1, and returns the JSON that it prints. */
async function printedBy(source: string): Promise<unknown> {
  const cell = await (await open()).cell(1)
  const folder = await release(cell, 1, `console.log(JSON.stringify((() => { ${source} })()))`)
  const { output } = await (await start(cell, folder)).ended
  return JSON.parse(output)
}

describeAsRoot('the program of a project', () => {
  test("runs as the project's own user without other groups and privileges", async () => {
    const printed = await printedBy(`
      const status = require('fs').readFileSync('/proc/self/status', 'utf8')
      return [process.getuid(), process.getgid(), process.getgroups(), process.cwd(),
        /CapBnd:\\s+(\\w+)/.exec(status)[1], /NoNewPrivs:\\s+(\\d)/.exec(status)[1]]`)
    const uid = (await store.projectUsers.list())[0]?.uid
    expect(uid).toBeGreaterThanOrEqual(70_000)
    expect(printed).toEqual([
      uid,
      uid,
      [uid],
      expect.stringMatching(`^${dataDir}/releases/1/`),
      '0000000000000000',
      '1',
    ])
  })

  test('writes to its own release', async () => {
    expect(
      await printedBy(`require('fs').writeFileSync('written', 'yes')
        return require('fs').readFileSync('written', 'utf8')`),
    ).toBe('yes')
  })

  test('sees of the data folder only what belongs to projects', async () => {
    writeFileSync(join(dataDir, 'master.key'), 'secret')
    const printed = await printedBy(`
      const tried = (path) => { try { return require('fs').readdirSync(path) } catch (error) { return error.code } }
      return ['', 'master.key', 'releases', 'cells'].map((name) => tried('${dataDir}/' + name))`)
    expect(printed).toEqual([
      ['cache', 'cells', 'releases', 'volumes'],
      'ENOENT',
      'EACCES',
      'EACCES',
    ])
  })

  test("sees neither processes nor temporary files nor folders of the host's root", async () => {
    const file = join(tmpdir(), `strata-canary-${process.pid}`)
    writeFileSync(file, 'secret')
    try {
      const printed = await printedBy(`
        const fs = require('fs')
        const pids = fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name))
        return { pids, own: String(process.pid), canary: fs.existsSync('${file}'), shm: fs.readdirSync('/dev/shm') }`)
      const { own } = printed as { own: string }
      expect(printed).toEqual({ pids: [own], own, canary: false, shm: [] })
    } finally {
      rmSync(file)
    }
  })

  test('gets loader variables only after root has left the chain of programs', async () => {
    const cell = await (await open()).cell(1)
    const folder = await release(cell, 1, 'console.log(process.env.LD_PRELOAD)')
    const env = { PATH: process.env.PATH ?? '', LD_PRELOAD: join(folder, 'none.so') }
    const { output } = await (await start(cell, folder, { env })).ended
    expect(output).toContain(`\n${env.LD_PRELOAD}\n`.trimStart())
    // The loader of nsenter and setpriv would complain as well.
    expect(output.match(/cannot be preloaded/g)).toHaveLength(1)
  })

  test('is refused with the code of spawn if it is missing or not executable', async () => {
    const cell = await (await open()).cell(1)
    const folder = await release(cell, 1, '')
    const options = { cwd: folder, env: {}, stdio: 'ignore', group: 'app', limits } as const
    await expect(cell.spawn('no-such', [], options)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(cell.spawn('./app.cjs', [], options)).rejects.toMatchObject({ code: 'EACCES' })
  })
})

describeAsRoot('two projects', () => {
  test('can read neither files, temporary files nor processes of each other', async () => {
    const walls = await open()
    const [one, two] = await Promise.all([walls.cell(1), walls.cell(2)])
    expect(one.user?.uid).not.toBe(two.user?.uid)
    const first = await release(
      one,
      1,
      `require('fs').writeFileSync('/tmp/note', 'secret', { mode: 0o666 }); console.log(process.pid); setInterval(() => {}, 1000)`,
    )
    const { child } = await start(one, first)
    const pid = Number(await once(child.stdout as NodeJS.ReadableStream, 'data'))
    expect(pid).toBe(child.pid)
    const paths = [first, join(first, 'app.cjs'), one.home, '/tmp/note', `/proc/${pid}/environ`]
    const second = await release(
      two,
      2,
      `const tried = (path) => { try { return require('fs').statSync(path) && require('fs').readdirSync(path) } catch (error) { return error.code } }
       console.log(JSON.stringify(${JSON.stringify(paths)}.map(tried)))`,
    )
    const { output } = await (await start(two, second, { group: 'other' })).ended
    expect(JSON.parse(output)).toEqual(['EACCES', 'EACCES', 'EACCES', 'ENOENT', 'ENOENT'])
  })

  test('keep their users for the next daemon', async () => {
    const ids = async (walls: Walls) => [
      (await walls.cell(1)).user?.uid,
      (await walls.cell(2)).user?.uid,
    ]
    const before = await ids(await open())
    expect(await ids(await open())).toEqual(before)
  })
})

describeAsRoot('the limits of a group', () => {
  test('end a program that needs more memory, and name the limit', async () => {
    const walls = await open()
    const cell = await walls.cell(1)
    const source = 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'
    const folder = await release(cell, 1, source)
    const { ended } = await start(cell, folder, { limits: { ...limits, memoryMb: 96 } })
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    expect(await walls.end('app')).toEqual({ outOfMemoryMb: 96 })
    expect(await walls.end('app')).toEqual({ outOfMemoryMb: null })
  })

  test('bound the number of processes', async () => {
    const cell = await (await open()).cell(1)
    const source = `
      const { spawn } = require('child_process')
      let failed = 0
      for (let n = 0; n < 60; n += 1) spawn('sleep', ['60']).on('error', () => { failed += 1 })
      setTimeout(() => { console.log(failed); process.exit() }, 1000)`
    const folder = await release(cell, 1, source)
    const { ended } = await start(cell, folder, { limits: { ...limits, pids: 40 } })
    expect(Number((await ended).output.match(/^\d+$/m)?.[0])).toBeGreaterThan(10)
  })

  test('slow a program down to its share of a core', async () => {
    const cell = await (await open()).cell(1)
    const source = `
      const end = Date.now() + 2000
      while (Date.now() < end);
      console.log(process.cpuUsage().user + process.cpuUsage().system)`
    const folder = await release(cell, 1, source)
    const { ended } = await start(cell, folder, { limits: { ...limits, cpus: 0.2 } })
    expect(Number((await ended).output)).toBeLessThan(1_000_000)
  })
})

describeAsRoot('the use of a group', () => {
  test('counts the memory of its processes, and is unknown without the group', async () => {
    const walls = await open()
    const cell = await walls.cell(1)
    const source = `
      globalThis.held = Buffer.alloc(64 * 2 ** 20, 1)
      console.log('held')
      setInterval(() => {}, 1000)`
    const { child } = await start(cell, await release(cell, 1, source))
    const isCounted = () => (walls.usage('app')?.memoryBytes ?? 0) > 64 * 2 ** 20
    const hasLimit = walls.status().some(({ name, stands }) => name === 'memory' && stands)
    expect(hasLimit ? await eventually(isCounted, 20_000) : true).toBe(true)
    expect(walls.usage('absent')).toBeUndefined()
    child.kill('SIGKILL')
  })
})

describeAsRoot('the end of a group', () => {
  const detached = `
    require('child_process').spawn('setsid', ['sleep', '1000'], { env: { PATH: process.env.PATH }, detached: true, stdio: 'ignore' }).unref()
    setTimeout(() => console.log('started'), 300)`

  test('kills a detached process with an empty environment, also for the next daemon', async () => {
    const cell = await (await open()).cell(1)
    await (await start(cell, await release(cell, 1, detached))).ended
    const next = await open()
    const members = next.members('app') ?? []
    expect(members.map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8'))).toEqual(['sleep\n'])
    await next.end('app')
    expect(next.members('app')).toEqual([])
    expect(members.some((pid) => existsSync(`/proc/${pid}`) && !isZombie(pid))).toBe(false)
  })

  test('leaves no control group behind', async () => {
    const walls = await open()
    const cell = await walls.cell(1)
    const { child, ended } = await start(cell, await release(cell, 1, 'setInterval(() => {}, 9)'))
    const groupsOf = readFileSync(`/proc/${child.pid}/cgroup`, 'utf8')
    const name = /strata-[0-9a-f]{12}/.exec(groupsOf)?.[0] ?? ''
    await walls.end('app')
    await ended
    walls.close()
    expect(name).not.toBe('')
    expect(foldersNamed(name, '/sys/fs/cgroup')).toEqual([])
  })

  test('removing a project kills all processes of its user', async () => {
    const walls = await open()
    const cell = await walls.cell(1)
    await (await start(cell, await release(cell, 1, detached))).ended
    const members = walls.members('app') ?? []
    expect(members).toHaveLength(1)
    await walls.remove(1)
    expect(walls.members('app')).toEqual([])
    expect(existsSync(join(dataDir, 'cells/1'))).toBe(false)
  })
})

describeAsRoot('user ids', () => {
  test('of a used-up range give a sentence, and become free with the end of a project', async () => {
    const { id } = await store.projects.create(projectDraft())
    const other = await store.projects.create({
      ...projectDraft(),
      repoDir: '/other',
      repoUrl: null,
    })
    const walls = await open([71_000, 71_000])
    await walls.cell(id)
    await expect(walls.cell(other.id)).rejects.toThrow(
      /no user id from 71000 to 71000 is free for project 2: widen SERVICE_UID_RANGE/,
    )
    await store.projects.remove(id)
    await walls.remove(id)
    expect((await walls.cell(other.id)).user?.uid).toBe(71_000)
  })

  test('with files in the data folder are not given to another project', async () => {
    const walls = await open([71_010, 71_011])
    const cell = await walls.cell(1)
    await release(cell, 1, '')
    await store.projectUsers.remove(1)
    expect((await walls.cell(2)).user?.uid).toBe(71_011)
  })

  test('of another data folder on this host are skipped', async () => {
    const one = await (await open([71_020, 71_021])).cell(1)
    const elsewhere = mkdtempSync(join(tmpdir(), 'strata-walls-'))
    try {
      const other = await createWalls({
        dataDir: elsewhere,
        store: await tempStore(),
        uidRange: { from: 71_020, to: 71_021 },
      })
      opened.push(other)
      expect((await other.cell(1)).user?.uid).not.toBe(one.user?.uid)
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })
})

describeAsRoot('own', () => {
  test('gives a folder with all its files to the user, and follows no link', async () => {
    const cell = await (await open()).cell(1)
    const folder = ensured(join(dataDir, 'releases/1/a'))
    const outside = join(dataDir, 'outside')
    writeFileSync(outside, '')
    symlinkSync(outside, join(folder, 'link'))
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub/file'), '')
    await cell.own(folder)
    const owner = (path: string) => statSync(join(folder, path)).uid
    expect(['', 'sub', 'sub/file'].map(owner)).toEqual(Array(3).fill(cell.user?.uid))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(outside).uid).toBe(0)
  })
})

test.skipIf(isRoot)('walls do not stand without root, and say so', async () => {
  const walls = await open()
  expect(walls.status().map(({ stands }) => stands)).not.toContain(true)
  expect(walls.status()[0]?.detail).toMatch(/only root/)
  expect((await walls.cell(1)).user).toBeNull()
})

function isZombie(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

/** Finds folders of a name. Folders may vanish meanwhile. */
function foldersNamed(name: string, folder: string): string[] {
  return subfoldersOf(folder).flatMap((each) => {
    const path = `${folder}/${each}`
    return each === name ? [path] : foldersNamed(name, path)
  })
}

function subfoldersOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
