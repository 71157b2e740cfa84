import { afterAll, beforeAll, describe } from 'vitest'
import { bootApp } from '../support/apps/boot.ts'
import { prepareApp } from '../support/apps/prepare.ts'
import { isUserAppThere, userApp } from '../support/apps/user-app.ts'
import { describeCommon, describeUsers } from './suite/describe.ts'
import { userContract } from './suite/users.ts'

const given = process.env.CONFORMANCE_BASE_URL
const isSkipped = given === undefined && !isUserAppThere()
const reason = isSkipped ? ' (skipped: examples/user-app is not emitted yet)' : ''

describe.skipIf(isSkipped)(
  `the user application at ${given ?? 'examples/user-app'}${reason}`,
  () => {
    let baseUrl = given ?? ''
    let stop: () => Promise<unknown> = async () => {}

    beforeAll(async () => {
      if (given !== undefined) return
      await prepareApp(userApp.folder)
      const app = await bootApp(userApp)
      baseUrl = app.baseUrl
      stop = app.stop
    })

    afterAll(() => stop())

    describeCommon(userContract, () => ({ baseUrl }))
    describeUsers(() => ({ baseUrl }))
  },
)
