import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseImages, type TestEngine } from '../../test/support/daemon/docker/test-engine.ts'
import { freePort } from '../../test/support/free-port.ts'
import { ask } from './ask.ts'

const pollMs = 2
const timeoutMs = 60_000

const dockerfile = `FROM ${baseImages.node}
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
ENV HOST=0.0.0.0 PORT=8080 STRATA_BRANCH=none STRATA_COMMIT=none
CMD ["node", "server.js"]
`

/** Builds and runs an app with the docker program: with an empty build cache, then with a changed file. */
export async function buildBare(
  engine: TestEngine,
  folder: string,
): Promise<{ readonly coldMs: number; readonly againMs: number }> {
  const file = join(folder, '..', 'bare.Dockerfile')
  writeFileSync(file, dockerfile)
  const once = async () => {
    const port = await freePort()
    const startedAt = performance.now()
    engine.docker('build', '--quiet', '--tag', 'bare:latest', '--file', file, folder)
    const id = engine.docker(
      'run',
      '--detach',
      '--publish',
      `127.0.0.1:${port}:8080`,
      'bare:latest',
    )
    await untilAnswers(port)
    const ms = performance.now() - startedAt
    engine.docker('rm', '--force', id)
    return ms
  }
  engine.docker('builder', 'prune', '--all', '--force')
  const coldMs = await once()
  writeFileSync(join(folder, 'bare.txt'), String(performance.now()))
  return { coldMs, againMs: await once() }
}

/** Creates a stopped container with the image, the program and the limits of a container of the daemon. */
export async function createBareContainer(engine: TestEngine, like: string) {
  const [inspected] = JSON.parse(engine.docker('inspect', like))
  const port = await freePort()
  const env = ['HOST=0.0.0.0', 'PORT=8080', 'STRATA_BRANCH=none', 'STRATA_COMMIT=none']
  const id = engine.docker(
    'create',
    ...['--publish', `127.0.0.1:${port}:8080`, '--memory', '256m', '--cap-drop', 'ALL'],
    ...env.flatMap((variable) => ['--env', variable]),
    inspected.Image,
  )
  return {
    /** Returns the milliseconds from the call of the engine to the first response, and stops the container. */
    async start(): Promise<number> {
      const startedAt = performance.now()
      await startContainer(engine, id)
      await untilAnswers(port)
      const ms = performance.now() - startedAt
      engine.docker('stop', '--time', '5', id)
      return ms
    },
    remove: () => void engine.docker('rm', '--force', id),
  }
}

/** Calls the API of the engine: the docker program alone takes longer than a start. */
function startContainer({ host }: TestEngine, id: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socketPath = host.replace('unix://', '')
    const call = { socketPath, method: 'POST', path: `/containers/${id}/start` }
    request(call, (response) => {
      response.resume()
      if (response.statusCode === 204) response.on('end', resolve)
      else reject(new Error(`docker start answered ${response.statusCode}`))
    })
      .on('error', reject)
      .end()
  })
}

async function untilAnswers(port: number): Promise<void> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask(port, { path: '/' }).catch(() => undefined)
    if (answer?.status === 200) return
    if (performance.now() > until) throw new Error(`nothing answers on port ${port}`)
    await sleep(pollMs)
  }
}
