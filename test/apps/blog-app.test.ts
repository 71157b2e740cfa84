import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe } from 'vitest'
import { blogContract } from './suite/blog/contract.ts'
import { describeBlog, describeCommon } from './suite/describe.ts'
import { bootApp } from './support/boot.ts'
import type { Program } from './support/launcher.ts'
import { prepareApp } from './support/prepare.ts'

/** The blog, run as its Dockerfile runs it. */
const blogApp: Program = {
  folder: fileURLToPath(new URL('../../examples/blog-app', import.meta.url)),
  argv: [process.execPath, '--enable-source-maps', 'dist/main.js'],
}

describe('the blog application at examples/blog-app', () => {
  let baseUrl = ''
  let stop: () => Promise<unknown> = async () => {}

  beforeAll(async () => {
    await prepareApp(blogApp.folder)
    const app = await bootApp(blogApp)
    baseUrl = app.baseUrl
    stop = app.stop
  })

  afterAll(() => stop())

  describeCommon(blogContract, () => ({ baseUrl }))
  describeBlog(() => ({ baseUrl }))
})
