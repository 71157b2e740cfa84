import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { launcherOf } from '../support/apps/launcher.ts'
import { prepareApp } from '../support/apps/prepare.ts'
import { isUserAppThere, userApp, userProcessChecks } from '../support/apps/user-app.ts'
import { isPortFree } from '../support/free-port.ts'
import { defaultPortCheck } from './suite/settings.checks.ts'

const isSkipped = !isUserAppThere()
const reason = isSkipped ? ' (skipped: examples/user-app is not emitted yet)' : ''

describe.skipIf(isSkipped)(`the process of examples/user-app${reason}`, () => {
  let data = ''
  const launcher = launcherOf(userApp, () => mkdtemp(join(data, 'store-')))

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'conformance-data-'))
    await prepareApp(userApp.folder)
  })

  afterAll(() => rm(data, { recursive: true, force: true }))

  for (const { title, run } of userProcessChecks) {
    test.concurrent(title, () => run(launcher))
  }

  test(defaultPortCheck.title, async ({ skip }) => {
    if (!(await isPortFree(8080))) skip('something else listens on 8080')
    await defaultPortCheck.run(launcher)
  })
})
