import type { Environment } from '../../domain/records.ts'
import type { Logs } from '../../ports.ts'
import type { BranchDatabases } from '../run/branch-databases.ts'
import type { Deploy, Release } from './deploy.ts'

/** The step that creates the database of a branch before its first build. Its progress is part of the build's output. */
export function createProvideDatabase({
  logs,
  databases,
}: {
  logs: Logs
  databases: Pick<BranchDatabases, 'provide'>
}): (deploy: Deploy, environment: Environment, release: Release) => Promise<void> {
  return async ({ project, signal }, { id, branch }, { launch }) => {
    if (!launch.store) return
    const sink = logs.sink(id, 'build')
    const say = (line: string) => sink.write(Buffer.from(`${line}\n`), 'stdout')
    try {
      await databases.provide({ project, branch, launch, signal, say })
    } finally {
      await sink.end()
    }
  }
}
