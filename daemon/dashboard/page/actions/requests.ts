import { ResponseError } from '../../../client/errors.ts'
import { api } from '../state/api.ts'
import { reportChange } from '../state/live.ts'
import { showToast } from '../state/toasts.ts'
import { shortSha } from '../text/format.ts'

/** A branch of a project. */
export interface Branch {
  readonly projectId: number
  readonly name: string
}

/** Requests that return at once: the daemon queues the deploy and goes on. */
const queued = { headers: { prefer: 'respond-async' } }

export async function deploy({ projectId, name }: Branch): Promise<void> {
  const input = { params: { id: projectId }, body: { branch: name } }
  await api.call('deploy', input, queued)
  reportChange('queue', 'environments', 'audit')
  showToast(`The deploy of ${name} is queued.`, { tone: 'good' })
}

export interface RollbackOptions {
  /** The commit that an undo brings back. */
  readonly liveSha?: string | undefined
  /** Accepts that the commit lacks migrations that have run on the data. */
  readonly overMigrations?: boolean
}

/** Deploys an earlier commit again. */
export async function rollBack(
  branch: Branch,
  sha: string,
  { liveSha, overMigrations = false }: RollbackOptions = {},
): Promise<void> {
  const body = {
    branch: branch.name,
    to_sha: sha,
    ...(overMigrations && { over_migrations: true }),
  }
  const input = { params: { id: branch.projectId }, body }
  await api.call('rollback', input, queued)
  reportChange('queue', 'environments', 'audit')
  showToast(`The rollback of ${branch.name} to ${shortSha(sha)} is queued.`, {
    tone: 'good',
    action:
      liveSha === undefined
        ? undefined
        : undo(() => rollBack(branch, liveSha), 'Undo the rollback'),
  })
}

export async function pause(id: number, name: string): Promise<void> {
  await api.call('pauseEnvironment', { params: { id } })
  reportChange('environments', 'stats', 'audit')
  showToast(`${name} is paused.`, { tone: 'good', action: undo(() => wake(id, name)) })
}

export async function wake(id: number, name: string): Promise<void> {
  await api.call('wakeEnvironment', { params: { id } }, { timeoutMs: wakeTimeoutMs })
  reportChange('environments', 'stats', 'audit')
  showToast(`${name} is running.`, { tone: 'good', action: undo(() => pause(id, name)) })
}

/** The wake budget of an app may be set to several minutes. */
const wakeTimeoutMs = 310_000

export async function destroy(
  id: number,
  branch: Branch,
  removals: { readonly purge_data?: boolean; readonly purge_secrets?: boolean },
): Promise<void> {
  const query = Object.fromEntries(Object.entries(removals).filter(([, isSet]) => isSet))
  await api.call('destroyEnvironment', { params: { id }, query })
  reportChange('environments', 'stats', 'audit', 'trash')
  showToast(`${branch.name} is destroyed.`, {
    tone: 'good',
    action: undo(() => deploy(branch), 'Deploy again'),
  })
}

/** Returns the action of a toast that takes something back, and shows the error if that fails. */
export function undo(
  work: () => Promise<unknown>,
  label = 'Undo',
): { readonly label: string; readonly run: () => void } {
  return {
    label,
    run: () => {
      work().catch((error: unknown) => {
        const { message } = error as Error
        const id = error instanceof ResponseError ? error.requestId : undefined
        showToast(`${label} failed: ${message}${id ? ` (request ${id})` : ''}`, { tone: 'bad' })
      })
    },
  }
}
