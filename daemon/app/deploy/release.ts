import type { Locks } from '../../async/locks.ts'
import { memoryOf } from '../../domain/records.ts'
import { keptRelease } from '../../domain/releases.ts'
import { DaemonError } from '../../errors.ts'
import type { Builder, Git, Store } from '../../ports.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { DefaultBranches } from '../ground/default-branches.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'
import type { Checkout, Deploy, KeptRelease } from './deploy.ts'
import { RefusedDeploy } from './faults.ts'

/** Source of a deploy's release: a kept release, a checkout from the mirror, or a checkout after a fetch. */
export type ReleasePlan =
  | { readonly kind: 'reuse'; readonly release: KeptRelease }
  | { readonly kind: 'checkout'; readonly commitSha: string }
  | { readonly kind: 'fetch' }

/** The steps that bring the files of a commit to the disk. */
export function createReleaseSteps(deps: {
  store: Store
  git: Git
  builder: Builder
  folders: ReleaseFolders
  locks: Locks
  defaultBranches: DefaultBranches
}): {
  planRelease(deploy: Deploy): Promise<ReleasePlan>
  fetch(deploy: Deploy): Promise<string>
  checkout(deploy: Deploy, commitSha: string): Promise<Checkout>
} {
  const { store, git, builder, folders, locks, defaultBranches } = deps

  /** Protects the kept release of a commit from pruning. Returns undefined if the release is already pruned. */
  async function holdKept(deploy: Deploy, commitSha: string): Promise<KeptRelease | undefined> {
    const { entry, residue } = deploy
    const { projectId, branch } = entry
    return locks.run(branchLock(entry), async () => {
      const successful = await store.environments.listSuccessful(projectId, branch)
      const kept = keptRelease(successful, commitSha)
      if (!kept?.release || !kept.launch) return undefined
      if (!(await folders.hasRelease(kept.release))) return undefined
      const unhold = folders.hold(kept.release)
      residue.undo.push(unhold)
      residue.memoryMb = memoryOf(kept.launch)
      return { kind: 'kept', commitSha, name: kept.release, launch: kept.launch, unhold }
    })
  }

  return {
    async planRelease(deploy) {
      const { commitSha } = deploy.entry
      if (commitSha === null) return { kind: 'fetch' }
      const release = await holdKept(deploy, commitSha)
      if (release) return { kind: 'reuse', release }
      const isMirrored = await git.has(deploy.source, commitSha)
      return isMirrored ? { kind: 'checkout', commitSha } : { kind: 'fetch' }
    },

    async fetch({ entry, source, signal, project, residue }) {
      await git.fetch(source, signal)
      await defaultBranches.refresh(project, source)
      if (entry.commitSha !== null) {
        if (await git.has(source, entry.commitSha)) return entry.commitSha
        throw new DaemonError(
          'unprocessable',
          `commit ${entry.commitSha} is no longer in the repository`,
        )
      }
      const head = await git.head(source, entry.branch)
      if (head === undefined) {
        throw new RefusedDeploy('not-found', `${project.name} has no branch ${entry.branch}`)
      }
      residue.commitSha = head
      return head
    },

    async checkout({ project, source, signal, residue }, commitSha) {
      const name = await folders.newRelease(project.id)
      const unhold = folders.hold(name)
      residue.undo.push(async () => {
        unhold()
        await folders.removeRelease(name)
      })
      const path = folders.releasePath(name)
      await git.checkout(source, commitSha, path, signal)
      const plan = await builder.plan(path)
      residue.memoryMb = memoryOf(plan.launch)
      return { kind: 'checkout', commitSha, name, plan, launch: plan.launch, unhold }
    },
  }
}
