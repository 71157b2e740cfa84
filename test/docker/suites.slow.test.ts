import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { missingEngine } from '../support/daemon/docker/test-engine.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A part of the suites of `npm run test:docker`, which runs all of them. */
const files = [
  'test/cli-client/run.test.ts',
  'test/daemon/base-domain.test.ts',
  'test/daemon/one-app-life.test.ts',
  'test/daemon/processes.test.ts',
]

describe.skipIf(missingEngine() !== undefined)('on the docker runtime', () => {
  test('the life of an app, its processes, its commands and its addresses are as on processes', async () => {
    const options = ['run', '--project=unit', '--maxWorkers=1', ...files]
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...options], {
      cwd: root,
      env: { ...process.env, TEST_RUNTIME: 'docker' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    const [code] = await once(child, 'exit')
    expect(code, output).toBe(0)
  })
})
