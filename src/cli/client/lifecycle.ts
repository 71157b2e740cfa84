import { addressOf, findBranch, findTarget, type TargetOptions } from './environments.ts'
import { requireProject } from './projects.ts'
import { runWithDaemon } from './run.ts'
import type { CommonOptions } from './session.ts'
import { lengthOf } from './terminal/times.ts'
import { answerMs, deployAndShow } from './up/up.ts'

type Options = CommonOptions & TargetOptions

/** A wake is answered when the app is healthy, a stop when its process has ended. */
const lifecycleMs = 180_000

/** `strata pause` */
export function pause(named: string | undefined, options: Options): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, branch } = (await findTarget(session, named, options)).environment
    await client.call('pauseEnvironment', { params: { id } }, { signal, timeoutMs: lifecycleMs })
    const { body } = await client.call('findEnvironment', { params: { id } }, { signal })
    output.result(body, () => [`${branch.name} (environment ${id}) is asleep: a request wakes it`])
  })
}

/** `strata wake` */
export function wake(named: string | undefined, options: Options): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { id, branch } = (await findTarget(session, named, options)).environment
    const startedAt = Date.now()
    await client.call('wakeEnvironment', { params: { id } }, { signal, timeoutMs: lifecycleMs })
    const { body } = await client.call('findEnvironment', { params: { id } }, { signal })
    const address = addressOf(body)
    const took = lengthOf(Date.now() - startedAt)
    output.result({ ...body, address: address ?? null }, () => [
      `${branch.name} (environment ${id}) is awake after ${took}`,
      ...(address === undefined ? [] : [address]),
    ])
  })
}

/** `strata down` */
export function down(
  named: string | undefined,
  options: Options & { readonly purgeSecrets?: boolean; readonly everything?: boolean },
): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    if (options.everything) {
      const { project } = await requireProject(session, options.project ?? named)
      const input = { params: { id: project.id } }
      await client.call('removeProject', input, { signal, timeoutMs: lifecycleMs })
      output.result({ project_id: project.id, status: 'deleted' }, () => [
        `deleted ${project.name} with its environments and secrets`,
      ])
      return
    }
    const { id, branch } = (await findTarget(session, named, options)).environment
    const query = { purge_secrets: options.purgeSecrets }
    await client.call(
      'destroyEnvironment',
      { params: { id }, query },
      { signal, timeoutMs: lifecycleMs },
    )
    output.result({ environment_id: id, status: 'destroyed' }, () => [
      `${branch.name} (environment ${id}) is gone; strata up ${branch.name} brings it back`,
    ])
  })
}

/** `strata rollback`: a number is an environment, whose branch is meant. */
export function rollback(
  named: string | undefined,
  options: Options & { readonly to?: string },
): Promise<void> {
  return runWithDaemon(options, async (session, { onInterrupt }) => {
    const { project, branch, title } = await branchOf()
    onInterrupt(() => [
      `not waiting any longer: the rollback of ${branch} goes on`,
      '  try: strata status',
    ])
    await deployAndShow(session, {
      title,
      project,
      branch,
      isVerbose: false,
      ifAbsent: [`strata audit ${branch} shows what has run`],
      ask: () =>
        session.client.call(
          'rollback',
          {
            params: { id: project.id },
            body: { branch, ...(options.to !== undefined && { to_sha: options.to }) },
          },
          { signal: session.signal, timeoutMs: answerMs },
        ),
    })

    async function branchOf() {
      if (named !== undefined && options.branch === undefined && /^\d+$/.test(named)) {
        const { environment } = await findTarget(session, named, options)
        const branch = environment.branch.name
        return { project: { id: environment.project_id }, branch, title: `rollback of ${branch}` }
      }
      const found = await findBranch(session, options.branch ?? named, options)
      return { ...found, title: `rollback of ${found.project.name}/${found.branch}` }
    }
  })
}
