import type { Environment } from '../../domain/records.ts'
import type { Builder, Clock, Logs } from '../../ports.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import { revealed } from '../run/app-variables.ts'
import type { Launcher } from '../run/launcher.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'
import { requireBuilding } from './building-row.ts'
import type { Checkout, Deploy } from './deploy.ts'
import type { LeaseTransaction } from './lease.ts'

/** The step that builds a checkout in place and records it as the release of its environment. */
export function createBuild(deps: {
  builder: Builder
  logs: Logs
  clock: Clock
  folders: ReleaseFolders
  launcher: Launcher
  diskReserve: Pick<DiskReserve, 'guard'>
  leaseTransaction: LeaseTransaction
}): (deploy: Deploy, environment: Environment, checkout: Checkout) => Promise<Environment> {
  const { builder, logs, clock, folders, launcher, diskReserve, leaseTransaction } = deps
  return async (deploy, environment, { name: release, plan }) => {
    const { launch } = plan
    const { projectId, nodeId } = environment
    const path = folders.releasePath(release)
    const env = revealed(await launcher.envOf(environment, launch))
    await launcher.linkVolume(environment, path, launch.root)
    const sink = logs.sink(environment.id, 'build')
    try {
      await diskReserve.guard(deploy.signal, (signal) =>
        builder.build(path, plan, {
          ...{ projectId, nodeId, env, signal },
          output: sink.write,
        }),
      )
    } finally {
      await sink.end()
    }
    // Link the volume after the build too: the build may have created the root folder of the app.
    await launcher.linkVolume(environment, path, launch.root)
    const options = { at: clock.now(), ifState: ['building'] } as const
    return leaseTransaction(deploy, async (tx) =>
      requireBuilding(await tx.environments.update(environment.id, { release, launch }, options)),
    )
  }
}
