import { placeOf } from '../../domain/endpoints.ts'
import type { Environment } from '../../domain/records.ts'
import type { Clock, Runtime } from '../../ports.ts'
import type { AppSupervisor } from '../run/app-supervisor.ts'
import type { DataMoves } from '../run/data-moves.ts'
import { failedGraceMs, type Launcher } from '../run/launcher.ts'
import { requireBuilding } from './building-row.ts'
import type { Deploy, StartedApp } from './deploy.ts'
import type { LeaseTransaction } from './lease.ts'

/** The step that starts a built environment and records its endpoint. */
export function createStart(deps: {
  clock: Clock
  runtime: Runtime
  launcher: Launcher
  supervisor: AppSupervisor
  dataMoves: Pick<DataMoves, 'bring'>
  leaseTransaction: LeaseTransaction
}): (deploy: Deploy, environment: Environment) => Promise<StartedApp> {
  const { clock, runtime, launcher, supervisor, dataMoves, leaseTransaction } = deps
  return async (deploy, built) => {
    const { id, projectId } = built
    launcher.prepare(projectId)
    const move = await dataMoves.bring(built)
    if (move) {
      deploy.residue.undo.push(move.undo)
      deploy.residue.move = move
    }
    supervisor.forgetExit(id)
    const instance = await launcher.start(built)
    deploy.residue.undo.push(() => runtime.remove(instance.name, failedGraceMs))
    const changes = placeOf(instance)
    const options = { at: clock.now(), ifState: ['building'] } as const
    const environment = await leaseTransaction(deploy, async (tx) =>
      requireBuilding(await tx.environments.update(id, changes, options)),
    )
    return { environment, instance }
  }
}
