import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { endProcessesOf } from './support/stratad/daemon.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'strata-tutorial-'))

afterAll(() => {
  endProcessesOf(folder)
  rmSync(folder, { recursive: true, force: true })
})

test('the commands of docs/tutorial.md lead from an empty folder to a merged preview', async () => {
  const [api, gateway] = [await freePort(), await freePort()]
  mkdirSync(join(folder, 'bin'))
  const program = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin/strata.js')}' "$@"\n`
  writeFileSync(join(folder, 'bin/strata'), program, { mode: 0o755 })
  const env = {
    ...process.env,
    HOME: folder,
    XDG_STATE_HOME: '',
    XDG_CONFIG_HOME: '',
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    SERVICE_ADDR: `127.0.0.1:${api}`,
    SERVICE_GATEWAY_ADDR: `127.0.0.1:${gateway}`,
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  let cwd = folder
  const run = (commands: string) => {
    const options = { cwd, env, encoding: 'utf8' } as const
    return spawnSync('sh', ['-ec', commands.replaceAll(':9080', `:${gateway}`)], options)
  }
  const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text)
  const [create = '', logic = '', unit = '', wiring = '', ...rest] = blocks
  const [migration = '', online = '', preview = '', merge = '', end = '', ...more] = rest
  expect(more).toEqual([])

  const succeed = (commands: string): string => {
    const { status, stdout, stderr } = run(commands)
    expect({ commands, status, output: status === 0 ? '' : stdout + stderr }).toMatchObject({
      status: 0,
    })
    return stdout
  }
  succeed(create)
  cwd = join(folder, 'library')
  for (const block of [logic, unit, wiring]) succeed(block)
  expect(succeed(migration)).toContain('yours: index books_title on books (title)')
  expect(succeed(online)).toContain('{"pages_left":474}')
  const [inPreview, inMain = ''] = succeed(preview).split('{"books":')
  expect(inPreview).toContain('"title":"Emma","pages":474,"finished":false,"shelf":"A1"')
  expect(inMain).toContain('Emma')
  expect(inMain).not.toContain('shelf')
  expect(succeed(merge)).toContain('"shelf":null')
  const rollback = run('strata rollback')
  expect(rollback.status).not.toBe(0)
  expect(rollback.stderr).toContain('0003_change_books')
  succeed(end)
})
