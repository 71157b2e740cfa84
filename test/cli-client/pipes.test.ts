import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from '../support/generator/strata.ts'
import { call } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'

let daemon: Daemon
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'strata-pipes-'))
  daemon = await startDaemon()
})
afterAll(async () => {
  await daemon.stop('SIGKILL')
  cleanUp(daemon.dataDir)
  rmSync(folder, { recursive: true })
})

/** Runs a shell line in which `$strata` is the program. The exit code is that of the first failed command. */
function shell(line: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${line}`], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      strata: `${process.execPath} ${program}`,
      XDG_CONFIG_HOME: folder,
      STRATA_HOST: `http://127.0.0.1:${daemon.port}`,
      STRATA_TOKEN: masterToken,
    },
  })
  return { code: status, stdout, stderr }
}

async function secretNames(): Promise<string[]> {
  const { body } = await call(daemon, 'GET', '/secrets')
  return body.secrets.map(({ name }: { name: string }) => name)
}

test.each(['</dev/null', '< <(echo)'])(
  'env set refuses the empty standard input of %s and sets nothing',
  async (input) => {
    const { code, stderr } = shell(`$strata env set EMPTY --global ${input}`)
    expect(stderr).toContain('standard input has no value for EMPTY: nothing was set')
    expect(code).toBe(1)
    expect(await secretNames()).not.toContain('EMPTY')
  },
)

test('env set sets an empty value with --allow-empty, or with NAME=', async () => {
  expect(shell('$strata env set A --global --allow-empty </dev/null').code).toBe(0)
  expect(shell('$strata env set B= --global').code).toBe(0)
  expect(await secretNames()).toEqual(['A', 'B'])
})

test('status --all prints no warning with more than ten projects', async () => {
  for (let count = 0; count < 15; count += 1) {
    await call(daemon, 'POST', '/projects', { repo_url: `https://git.example.com/a/p${count}` })
  }
  const { code, stderr } = shell('$strata status --all')
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Warning') })
})

test('init finishes its project without a stack trace if the reader of its output has gone', () => {
  const init = '$strata init shop --module shop --database sqlite --no-install --no-git'
  const { code, stderr } = shell(`{ sleep 0.1; ${init}; } | true`)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(existsSync(join(folder, 'shop', 'package.json'))).toBe(true)
})
