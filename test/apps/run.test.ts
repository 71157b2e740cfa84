import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startReferenceApp } from '../support/apps/reference-app.ts'
import type { MutantName } from '../support/apps/reference-mutants.ts'

const script = fileURLToPath(new URL('./run.ts', import.meta.url))

describe('the conformance command', () => {
  test('exits with 0 if every check passes', async () => {
    const { code, stdout } = await conformance(undefined, ['--app', 'user', '--only', 'health'])
    expect(code).toBe(0)
    expect(stdout).toContain('ok   health answers the status ok')
  })

  test('exits with 1 and names the failed check', async () => {
    const { code, stdout } = await conformance('health-status', ['--only', 'health'])
    expect(code).toBe(1)
    expect(stdout).toContain('FAIL health answers the status ok')
    expect(stdout).toContain("'healthy'")
  })

  test('exits with 1 if the app does not answer, and if no check matches', async () => {
    const silent = await run(['--url', 'http://127.0.0.1:1', '--only', 'health'])
    expect(silent.code).toBe(1)
    expect(silent.stdout).toContain('got no answer')
    expect((await conformance(undefined, ['--only', 'no such title'])).code).toBe(1)
  })

  test('exits with 2 and prints its usage on wrong arguments', async () => {
    const url = ['--url', 'http://127.0.0.1:1']
    for (const args of [[], ['--url', 'here'], [...url, '--app', 'shop'], [...url, '--fast']]) {
      const { code, stderr } = await run(args)
      expect(code).toBe(2)
      expect(stderr).toContain('usage: npm run conformance')
    }
  })
})

async function conformance(mutant: MutantName | undefined, args: readonly string[]) {
  const app = await startReferenceApp(mutant)
  try {
    return await run(['--url', app.baseUrl, ...args])
  } finally {
    app.stop()
  }
}

function run(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const argv = ['--import', 'tsx', script, ...args]
    const child = execFile(process.execPath, argv, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}
