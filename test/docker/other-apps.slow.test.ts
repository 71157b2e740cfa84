import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImageBuilder } from '../../daemon/build/image/image-builder.ts'
import { defaultImages } from '../../daemon/build/recognize/images/image-settings.ts'
import { createEngine } from '../../daemon/engine/engine.ts'
import { openOwnership } from '../../daemon/engine/ownership.ts'
import { createLogs } from '../../daemon/logs/logs.ts'
import type { Builder } from '../../daemon/ports.ts'
import {
  createDockerRuntime,
  type DockerRuntime,
} from '../../daemon/runtime/docker/docker-runtime.ts'
import {
  baseImages,
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { realClock } from '../support/daemon/runtime/apps.ts'

const skip = missingEngine(['node', 'python', 'static'])
const never = new AbortController().signal
let engine: TestEngine
let builder: Builder
let runtime: DockerRuntime
let folder: string

beforeAll(async () => {
  if (skip !== undefined) return
  engine = await startTestEngine({ images: ['node', 'python', 'static'] })
  folder = mkdtempSync(join(tmpdir(), 'strata-other-apps-'))
  const client = createEngine(engine.address)
  const ownership = openOwnership(join(folder, 'runtime'), folder)
  builder = createImageBuilder({
    ...{ engine: client, ownership, releasesFolder: join(folder, 'releases') },
    images: { ...defaultImages, ...baseImages },
  })
  runtime = createDockerRuntime({
    ...{ engine: client, ownership, clock: realClock, host: '127.0.0.1' },
    logs: createLogs({ folder: join(folder, 'logs'), clock: realClock }),
    user: { uid: 1000, gid: 1000 },
  })
})
afterAll(async () => {
  await runtime?.close()
  await engine?.remove()
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const apps = [
  { example: 'flask', answer: /"app":"flask"/, prepare: () => {} },
  { example: 'static', answer: /<h1>Static files<\/h1>/, prepare: () => {} },
  { example: 'procfile', answer: /^procfile: a minute has 60000 ms\n$/, prepare: () => {} },
  { example: 'workspace', answer: /^hello from the workspace\n$/, prepare: () => {} },
  {
    example: 'dockerfile',
    answer: /^dockerfile\n$/,
    // The base image of the example is in no registry of the tests.
    prepare: (release: string) => {
      const path = join(release, 'Dockerfile')
      const text = readFileSync(path, 'utf8').replace(/^FROM .*/, `FROM ${baseImages.python}`)
      writeFileSync(path, text)
    },
  },
] as const

describe.skipIf(skip !== undefined)('on the docker runtime', () => {
  test.each(apps)('the example $example answers', async ({ example, answer, prepare }) => {
    const id = apps.findIndex((each) => each.example === example) + 1
    const release = join(folder, `release-${example}`)
    const source = fileURLToPath(new URL(`../../examples/other-apps/${example}`, import.meta.url))
    cpSync(source, release, { recursive: true })
    prepare(release)
    const plan = await builder.plan(release)
    const output: string[] = []
    await builder
      .build(release, plan, {
        ...{ projectId: 1, env: {}, signal: never },
        output: (chunk) => output.push(Buffer.from(chunk).toString()),
      })
      .catch((error) => {
        throw new Error(`${error.message}\n${output.join('')}`)
      })
    const instance = await runtime.start({
      ...{ name: `strata-${id}`, environmentId: id, projectId: 1, folder: release, env: {} },
      launch: plan.launch,
    })
    await runtime.awaitHealthy(instance, { path: null, timeoutMs: 30_000 }, never)
    const [endpoint] = instance.endpoints
    const response = await fetch(`http://${endpoint?.host}:${endpoint?.port}/`)
    expect(await response.text()).toMatch(answer)
    await runtime.stop(`strata-${id}`, 5_000)
  })
})
