import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImageBuilder } from '../../../../daemon/build/image/image-builder.ts'
import { defaultImages } from '../../../../daemon/build/recognize/images/image-settings.ts'
import { createEngine } from '../../../../daemon/engine/engine.ts'
import { openOwnership } from '../../../../daemon/engine/ownership.ts'
import { createLogs } from '../../../../daemon/logs/logs.ts'
import type { AppSpec } from '../../../../daemon/ports.ts'
import {
  createDockerRuntime,
  type DockerRuntime,
} from '../../../../daemon/runtime/docker/docker-runtime.ts'
import { realClock } from '../runtime/apps.ts'
import type { AppChanges, RuntimePlace } from '../runtime/contract.ts'
import { baseImages, type TestEngine } from './test-engine.ts'

/** Returns a data folder on a test engine, with images for the programs of tests. */
export async function dockerPlace({ address }: TestEngine): Promise<RuntimePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'strata-docker-'))
  const engine = createEngine(address)
  const ownership = openOwnership(join(folder, 'runtime'), folder)
  const builder = createImageBuilder({
    ...{ engine, ownership, images: defaultImages },
    releasesFolder: join(folder, 'releases'),
  })
  const opened: DockerRuntime[] = []
  const never = new AbortController().signal

  async function app(
    environmentId: number,
    source: string,
    changes: AppChanges = {},
  ): Promise<AppSpec> {
    const release = mkdtempSync(join(folder, 'release-'))
    writeFileSync(join(release, 'app.cjs'), source)
    const dockerfile = `FROM ${baseImages.node}\nWORKDIR /app\nCOPY app.cjs .\nCMD ["node", "app.cjs"]\n`
    writeFileSync(join(release, 'Dockerfile'), dockerfile)
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
    return {
      ...{ name: `strata-${environmentId}`, environmentId, projectId: 1, env: {} },
      ...changes,
      folder: release,
      launch: { ...plan.launch, ...changes.launch },
    }
  }

  return {
    async open() {
      const logs = createLogs({ folder: join(folder, 'logs'), clock: realClock })
      const runtime = createDockerRuntime({
        ...{ engine, ownership, logs, clock: realClock },
        host: '127.0.0.1',
        user: { uid: 1000, gid: 1000 },
      })
      const exits: Parameters<Parameters<DockerRuntime['onExit']>[0]>[0][] = []
      runtime.onExit((exit) => exits.push(exit))
      opened.push(runtime)
      return {
        ...{ runtime, logs, exits },
        async close() {
          await runtime.close()
          await logs.close()
        },
      }
    },
    app,
    async volume() {
      const volume = await mkdtemp(join(folder, 'volume-'))
      chmodSync(volume, 0o777)
      return volume
    },
    async remove() {
      const last = opened.at(-1)
      const names = [...((await last?.list()) ?? new Map()).keys()]
      for (const name of names) await last?.remove(name, 0)
      await last?.removeProject(1)
      for (const runtime of opened) await runtime.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
