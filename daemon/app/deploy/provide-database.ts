import type { Environment } from '../../domain/records.ts'
import type { Logs } from '../../ports.ts'
import type { BranchDatabases } from '../run/branch-databases.ts'
import type { SqliteCopies } from '../run/sqlite-copies.ts'
import type { Deploy, Release } from './deploy.ts'

/** The step that creates the database of a branch before its first build. Its progress is part of the build's output. */
export function createProvideDatabase({
  logs,
  databases,
  sqliteCopies,
}: {
  logs: Logs
  databases: Pick<BranchDatabases, 'provide'>
  sqliteCopies: SqliteCopies
}): (deploy: Deploy, environment: Environment, release: Release) => Promise<void> {
  return async ({ project, signal }, { id, branch }, { launch }) => {
    if (!launch.store) return
    const sink = logs.sink(id, 'build')
    const say = (line: string) => sink.write(Buffer.from(`${line}\n`), 'stdout')
    try {
      const request = { project, branch, launch, signal, say }
      await databases.provide(request)
      await sqliteCopies.provide(request)
    } finally {
      await sink.end()
    }
  }
}
