import { afterAll, beforeAll } from 'vitest'
import { dockerPlace } from '../support/daemon/docker/place.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { describeRuntime } from '../support/daemon/runtime/contract.ts'

const skip = missingEngine()
let engine: TestEngine

beforeAll(async () => {
  if (skip === undefined) engine = await startTestEngine()
})
afterAll(() => engine?.remove())

describeRuntime('the docker runtime', () => dockerPlace(engine), { hasLimits: true, skip })
