import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultPortCheck, type ProcessCheck, processChecks } from './suite/process.checks.ts'
import { users } from './suite/users.ts'
import { bootApp, isPortFree } from './support/boot.ts'
import { launcherOf } from './support/launcher.ts'
import { processMutants } from './support/reference-process-mutants.ts'

const checks: readonly ProcessCheck[] = processChecks(users)

describe('the process checks before the reference', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conformance-reference-'))
    await build({
      entryPoints: [fileURLToPath(new URL('./support/reference-main.ts', import.meta.url))],
      outfile: join(folder, 'main.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const launch = (...args: readonly string[]) =>
    launcherOf({ folder, argv: [process.execPath, 'main.mjs', ...args] }, () =>
      mkdtemp(join(folder, 'data-')),
    )

  for (const { title, run } of checks) {
    test.concurrent(`pass the correct one: ${title}`, () => run(launch()))
  }

  test('name a broken process for every check', () => {
    const noticed = new Set<string>(Object.values(processMutants))
    const titles = [...checks, defaultPortCheck].map(({ title }) => title)
    expect(titles.filter((title) => !noticed.has(title))).toEqual([])
  })

  for (const [name, title] of Object.entries(processMutants)) {
    if (title === defaultPortCheck.title) continue
    test.concurrent(`notice the process broken by ${name}`, async () => {
      const check = checks.find((each) => each.title === title)
      assert.ok(check !== undefined, `no check is titled ${title}`)
      await expect(check.run(launch(name))).rejects.toBeInstanceOf(assert.AssertionError)
    })
  }

  test('know the default port', async ({ skip }) => {
    if (!(await isPortFree(8080))) skip('something else listens on 8080')
    await defaultPortCheck.run(launch())
  })

  test('start nothing that does not become healthy, and show what it wrote', async () => {
    const program = { folder, argv: [process.execPath, '-e', 'console.log("no server here")'] }
    await expect(bootApp(program)).rejects.toThrow('no server here')
  })
})
