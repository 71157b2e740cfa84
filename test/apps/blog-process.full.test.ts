import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { atMost } from '../support/apps/at-most.ts'
import { blogApp, blogAppProcessChecks } from '../support/apps/blog-app.ts'
import { launcherOf } from '../support/apps/launcher.ts'
import { prepareApp } from '../support/apps/prepare.ts'

describe('the process of examples/blog-app', () => {
  const inTurn = atMost(4)
  let data = ''
  const launcher = launcherOf(blogApp, () => mkdtemp(join(data, 'store-')))

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'conformance-blog-data-'))
    await prepareApp(blogApp.folder)
  })

  afterAll(() => rm(data, { recursive: true, force: true }))

  for (const { title, run } of blogAppProcessChecks) {
    test.concurrent(title, () => inTurn(() => run(launcher)))
  }
})
