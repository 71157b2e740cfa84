import { afterAll, beforeAll, describe } from 'vitest'
import { blogApp } from '../support/apps/blog-app.ts'
import { bootApp } from '../support/apps/boot.ts'
import { prepareApp } from '../support/apps/prepare.ts'
import { blogContract } from './suite/blog/contract.ts'
import { describeBlog, describeCommon } from './suite/describe.ts'

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
