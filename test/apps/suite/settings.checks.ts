import assert from 'node:assert/strict'
import type { Exit } from '../../support/apps/boot.ts'
import { assertStatus } from './answers.ts'
import { originOf, send } from './http.ts'
import { type ProcessCheck, withApp } from './process.ts'
import { isListening } from './raw.ts'
import type { Resource } from './resource.ts'

/** Checks of the settings. */
export function settingsChecks({ path }: Resource): readonly ProcessCheck[] {
  return [
    {
      title: 'all invalid settings are named at once, with exit code 1 and no stack trace',
      run: async ({ runToExit }) => {
        const DATABASE_URL = 'nonsense://name:password-7143@127.0.0.1/x'
        const more = {
          CORS_ORIGINS: 'pages.example.com',
          TRUST_PROXY: 'nobody',
          DOCS: 'maybe',
          METRICS: 'maybe',
        }
        const bad = { PORT: 'abc', LOG_LEVEL: 'loudly', DATABASE_URL, ...more }
        assertRefused(await runToExit(bad), Object.keys(bad))
        const exit = await runToExit({ DATABASE_URL })
        assertRefused(exit, ['DATABASE_URL'])
        assert.doesNotMatch(`${exit.stdout}${exit.stderr}`, /password-7143/)
      },
    },
    {
      title: 'an invalid PORT stops the start',
      run: async ({ runToExit }) => {
        for (const PORT of ['-1', '65536', '80.5'])
          assertRefused(await runToExit({ PORT }), ['PORT'])
      },
    },
    {
      title: 'a PORT in use stops the start',
      run: ({ boot, runToExit }) =>
        withApp(boot(), async (app) => {
          assertRefused(await runToExit({ PORT: `${originOf(app).port}` }), ['PORT'])
          assertStatus(await send(app, { path: '/health' }), 200)
        }),
    },
    {
      title: 'the app listens only on HOST',
      run: ({ boot }) =>
        withApp(boot({ HOST: '127.0.0.1' }), async (app) => {
          const { port } = originOf(app)
          assert.ok(
            !(await isListening({ host: '127.0.0.2', port })),
            'it listens on 127.0.0.2 too',
          )
        }),
    },
    {
      title: 'LOG_LEVEL=error omits the request lines',
      run: ({ boot }) =>
        withApp(boot({ LOG_LEVEL: 'error' }), async (app) => {
          assertStatus(await send(app, { path: `${path}/900000031` }), 404)
          const { stdout, stderr } = await app.stop()
          assert.doesNotMatch(`${stdout}${stderr}`, /900000031/)
        }),
    },
  ]
}

/** Runs only if port 8080 is free: the contract fixes the default port. */
export const defaultPortCheck: ProcessCheck = {
  title: 'the app listens on 8080 if PORT is not set',
  run: ({ boot }) =>
    withApp(boot({ PORT: undefined }), async (app) => {
      assert.equal(originOf(app).port, 8080)
      assertStatus(await send(app, { path: '/health' }), 200)
    }),
}

/** Throws unless the app exited with 1 and named these settings without a stack trace. */
export function assertRefused({ code, stdout, stderr }: Exit, names: readonly string[]): void {
  assert.equal(code, 1, `exit ${code}: ${stderr}`)
  for (const name of names) assert.match(stderr, new RegExp(`\\b${name}\\b`))
  assert.doesNotMatch(`${stdout}${stderr}`, /\n\s+at |node_modules|\.[cm]?[jt]s:\d+/)
}
