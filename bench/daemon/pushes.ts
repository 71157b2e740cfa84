import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../harness/stats.ts'
import { ask } from './ask.ts'
import { startBare } from './bare-start.ts'
import type { Effort } from './effort.ts'
import { quantile, type Report } from './figure.ts'
import { sendPush, signedPush } from './github-push.ts'
import type { Hosting, Registered } from './hosting.ts'
import { pidOf } from './plain-app.ts'
import { processorMs } from './processes.ts'

const branches = Array.from({ length: 15 }, (_, index) => `feature-${index + 1}`)
const pollMs = 15
/** Target for the response time of a webhook. */
export const webhookTargetMs = 20
const timeoutMs = 300_000
/** Number of repositories so far: the same daemon may measure pushes several times. */
let repositories = 0

/** Measures 15 concurrent pushes of 15 branches, until every branch answers with its commit. */
export async function measurePushes(hosting: Hosting, { pushRounds }: Effort): Promise<Report> {
  const rounds: Round[] = []
  for (let round = 0; round <= pushRounds; round += 1) {
    const measured = await pushAll(hosting)
    if (round > 0) rounds.push(measured)
  }
  const runMs = rounds.map(({ allRunMs }) => allRunMs)
  const bareMs = rounds.map(({ bareMs }) => bareMs)
  const answers = rounds.flatMap(({ answersMs }) => answersMs)
  const range = `${pushRounds} times, ${Math.round(Math.min(...runMs))} to ${Math.round(Math.max(...runMs))}`
  return {
    figures: [
      {
        what: '15 concurrent pushes → all run',
        value: median(runMs),
        unit: 'ms',
        target: { atMost: 4_000 },
        ratio: { times: median(runMs) / median(bareMs), to: '15 × node server.js' },
        of: range,
      },
      {
        what: '  first branch runs',
        value: median(rounds.map(({ firstRunsMs }) => firstRunsMs)),
        unit: 'ms',
      },
      {
        what: '  CPU of the daemon',
        value: median(rounds.map(({ daemonCpuMs }) => daemonCpuMs)),
        unit: 'ms',
        of: 'without its git processes and apps',
      },
      { what: '  202 response, p50', value: median(answers), unit: 'ms', of: `${answers.length}` },
      {
        what: '  202 response, p99',
        value: quantile(answers, 0.99),
        unit: 'ms',
        target: { atMost: webhookTargetMs },
        of: answers.length <= 100 ? `the slowest of ${answers.length}` : `${answers.length}`,
      },
    ],
  }
}

/** Milliseconds since the first request; `answersMs` are the durations of the single requests. */
interface Round {
  readonly allRunMs: number
  readonly firstRunsMs: number
  readonly answersMs: readonly number[]
  readonly daemonCpuMs: number
  readonly bareMs: number
}

/** Pushes 15 branches of a new repository, and removes their project when all of them run. */
export async function pushAll(hosting: Hosting): Promise<Round> {
  const { daemon } = hosting
  repositories += 1
  const repository = await hosting.register(`shop-${repositories}`, ['main', ...branches])
  const bareMs = await startAllBare(repository)
  const signed = branches.map((branch) =>
    signedPush({ url: repository.url, branch, sha: commitOf(repository, branch) }),
  )
  const cpuMs = processorMs(daemon.pid)
  const startedAt = performance.now()
  const answersMs = await Promise.all(signed.map((push) => sendPush(daemon.port, push)))
  const { firstAt, lastAt } = await untilAllRun(hosting, repository)
  const daemonCpuMs = processorMs(daemon.pid) - cpuMs
  await untilQueueIsEmpty(hosting)
  await daemon.call(204, { method: 'DELETE', path: `/api/v1/projects/${repository.projectId}` })
  const [allRunMs, firstRunsMs] = [lastAt - startedAt, firstAt - startedAt]
  return { allRunMs, firstRunsMs, answersMs, daemonCpuMs, bareMs }
}

/** Polls the branches that do not run yet, one by one, so that polling costs little. */
async function untilAllRun({ daemon }: Hosting, repository: Registered) {
  const until = performance.now() + timeoutMs
  const missing = new Set(branches)
  let firstAt: number | undefined
  while (missing.size > 0) {
    for (const branch of missing) {
      const headers = { host: `${branch}--${repository.name}.localhost` }
      const { status, text } = await ask(daemon.gatewayPort, { path: '/', headers })
      if (status === 404) continue
      if (status !== 200) throw new Error(`${branch} answered ${status} ${text}`)
      pidOf(text, { branch, commit: commitOf(repository, branch) })
      firstAt ??= performance.now()
      missing.delete(branch)
    }
    if (performance.now() > until)
      throw new Error(`${[...missing].join(', ')} do not run after ${timeoutMs / 1000} s`)
    if (missing.size > 0) await sleep(pollMs)
  }
  const lastAt = performance.now()
  return { firstAt: firstAt ?? lastAt, lastAt }
}

/** Measures how long the machine takes to start the same programs at once without the daemon. */
async function startAllBare({ folder }: Registered): Promise<number> {
  const program = {
    argv: [process.execPath, 'server.js'],
    cwd: folder,
    env: { STRATA_BRANCH: 'none', STRATA_COMMIT: 'none' },
  }
  const isRight = (text: string) => pidOf(text, { branch: 'none', commit: 'none' }) > 0
  const startedAt = performance.now()
  const started = await Promise.all(branches.map(() => startBare(program, { path: '/', isRight })))
  const allMs = performance.now() - startedAt
  await Promise.all(started.map(({ stop }) => stop()))
  return allMs
}

export async function untilQueueIsEmpty({ daemon }: Pick<Hosting, 'daemon'>): Promise<void> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const { text } = await daemon.call(200, { path: '/api/v1/queue' })
    if (text === '[]') return
    if (performance.now() > until)
      throw new Error(`the queue is not empty after ${timeoutMs / 1000} s: ${text}`)
    await sleep(50)
  }
}

function commitOf({ commits }: Registered, branch: string): string {
  const commit = commits.get(branch)
  if (commit === undefined) throw new Error(`no commit of ${branch}`)
  return commit
}
