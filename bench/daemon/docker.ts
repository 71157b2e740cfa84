import { join } from 'node:path'
import * as z from 'zod'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../../test/support/daemon/docker/test-engine.ts'
import { startTestNode, type TestNode } from '../../test/support/daemon/docker/test-node.ts'
import { createRepository, type Repository } from '../../test/support/stratad/plain-app.ts'
import { median, pairedRatio } from '../harness/stats.ts'
import { buildBare, createBareContainer } from './bare-docker.ts'
import type { Effort } from './effort.ts'
import { type Figure, quantile, type Report } from './figure.ts'
import { type Hosting, post, startHosting, visit } from './hosting.ts'
import { plainFiles } from './plain-app.ts'
import { pushAll } from './pushes.ts'

/** Target of a wake, as a multiple of a bare `docker start` and its first response. */
const wakeTarget = 1.5

/**
 * Measures the docker runtime on real engines: builds, wakes and 15 pushes at once, on one engine and on two, next to bare
 * docker and to the process runtime. Needs root and Debian's docker.io.
 */
export async function measureDocker(folder: string, effort: Effort): Promise<Report> {
  const missing = missingEngine()
  if (missing !== undefined) return { figures: [], absent: [`the docker runtime: ${missing}`] }
  const [engine, node] = await Promise.all([startTestEngine(), startTestNode()])
  try {
    return await measureOn(engine, node, join(folder, 'docker'), effort)
  } finally {
    await Promise.all([engine.remove(), node.remove()])
  }
}

async function measureOn(
  engine: TestEngine,
  node: TestNode,
  folder: string,
  effort: Effort,
): Promise<Report> {
  const hosting = await startHosting(folder, { env: engine.env })
  const processes = await startHosting(join(folder, 'processes'))
  try {
    const builds = await measureBuilds(engine, [hosting, processes], folder)
    const wakes = await measureWakes(engine, [hosting, processes], effort)
    const one = await pushes(hosting, 'one engine', effort)
    const body = { name: 'second', ...node.body }
    await hosting.daemon.call(201, post('/api/v1/nodes', body))
    const two = await pushes(hosting, 'two engines', effort)
    return { figures: [...builds, ...wakes, one, two] }
  } finally {
    await hosting.stop()
    await processes.stop()
  }
}

async function pushes(hosting: Hosting, where: string, { pushRounds }: Effort): Promise<Figure> {
  const rounds = Math.min(pushRounds, 3)
  const times: { readonly allRunMs: number; readonly bareMs: number }[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await pushAll(hosting))
  const value = median(times.map(({ allRunMs }) => allRunMs))
  const bareMs = median(times.map((time) => time.bareMs))
  return {
    what: `docker: 15 concurrent pushes → all run, ${where}`,
    ...{ value, unit: 'ms', of: `${rounds} times, each builds 15 images` },
    ratio: { times: value / bareMs, to: '15 × node server.js' },
  }
}

const deployed = z.object({
  id: z.int(),
  url: z.string(),
  build: z.object({ duration_ms: z.number() }),
})

/** Files with a lock file, and without dependencies: no registry is measured. */
const files = {
  ...plainFiles,
  'package-lock.json': JSON.stringify({
    ...{ name: 'plain', lockfileVersion: 3, requires: true },
    packages: { '': { name: 'plain' } },
  }),
}

async function measureBuilds(
  engine: TestEngine,
  [docker, processes]: readonly [Hosting, Hosting],
  folder: string,
): Promise<Figure[]> {
  const repository = createRepository(join(folder, 'repositories/built'), files)
  const onDocker = await deployTwice(docker, repository)
  const bare = await buildBare(engine, repository.folder)
  const onProcesses = await deployTwice(processes, repository)
  const figure = (what: string, value: number, bareMs: number): Figure => ({
    ...{ what, value, unit: 'ms', of: 'once' },
    ratio: { times: value / bareMs, to: 'docker build, docker run and the first response' },
  })
  return [
    figure('docker: deploy with an empty build cache', onDocker.coldMs, bare.coldMs),
    figure('docker: deploy with an unchanged lock file', onDocker.againMs, bare.againMs),
    { what: '  process runtime, first deploy', value: onProcesses.coldMs, unit: 'ms' },
    { what: '  process runtime, unchanged lock file', value: onProcesses.againMs, unit: 'ms' },
  ]
}

async function deployTwice({ daemon }: Hosting, repository: Repository) {
  const path = '/api/v1/projects'
  const answer = await daemon.call(201, post(path, { repo_dir: repository.folder }))
  const { id } = z.object({ id: z.int() }).parse(JSON.parse(answer.text))
  const deploy = async () => {
    const request = post(`${path}/${id}/deploy`, { branch: 'main' })
    return deployed.parse(JSON.parse((await daemon.call(201, request)).text)).build.duration_ms
  }
  const coldMs = await deploy()
  repository.commit({ 'note.txt': String(performance.now()) })
  return { coldMs, againMs: await deploy() }
}

async function measureWakes(
  engine: TestEngine,
  [docker, processes]: readonly [Hosting, Hosting],
  { plainWakes }: Effort,
): Promise<Figure[]> {
  const times = Math.min(plainWakes, 30)
  const app = await docker.plain()
  const other = await processes.plain()
  const { text } = await docker.daemon.call(200, {
    path: `/api/v1/environments/${app.environmentId}`,
  })
  const container = z.object({ container_name: z.string() }).parse(JSON.parse(text)).container_name
  const bare = await createBareContainer(engine, container)
  const wakes: { readonly ms: number; readonly bareMs: number; readonly processMs: number }[] = []
  for (let index = 0; index < times; index += 1) {
    const bareMs = await bare.start()
    const [ms, processMs] = [await wake(docker, app), await wake(processes, other)]
    wakes.push({ ms, bareMs, processMs })
  }
  bare.remove()
  const wakeMs = wakes.map(({ ms }) => ms)
  const bareMs = wakes.map((each) => each.bareMs)
  const ratio = pairedRatio(wakeMs, bareMs)
  return [
    {
      what: 'docker: held wake, p50',
      ...{ value: median(wakeMs), unit: 'ms', of: `${times}, alternating` },
      target: { atMost: wakeTarget * median(bareMs) },
      ratio: { times: ratio, to: 'a bare docker start and its first response' },
    },
    { what: '  p99', value: quantile(wakeMs, 0.99), unit: 'ms', of: `the slowest of ${times}` },
    {
      what: '  process runtime, p50',
      ...{ value: median(wakes.map(({ processMs }) => processMs)), unit: 'ms' },
    },
  ]
}

async function wake(
  { daemon }: Hosting,
  app: { readonly environmentId: number; readonly host: string; readonly path: string },
): Promise<number> {
  await daemon.call(204, post(`/api/v1/environments/${app.environmentId}/pause`, {}))
  return (await visit(daemon, app)).ms
}
