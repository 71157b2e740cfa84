import type { Environment } from '../../domain/records.ts'
import type { Redacted, Store, Vault } from '../../ports.ts'

export type AppEnv = Readonly<Record<string, string | Redacted>>

/**
 * What an app sees: the plain values of its commit, then secrets (global, of the project, of the branch: later ones
 * win), then what is injected, which nothing overrides. `PORT` and `NODE_ENV` are the runtime's to add.
 */
export async function appEnv(
  deps: { store: Pick<Store, 'secrets'>; vault: Vault; gatewayPort: number },
  environment: Pick<Environment, 'projectId' | 'branch' | 'commitSha' | 'hostname'>,
  { plain, volume }: { plain: Readonly<Record<string, string>>; volume: string },
): Promise<AppEnv> {
  const { projectId, branch, commitSha, hostname } = environment
  const secrets = await deps.store.secrets.listFor(projectId, branch)
  return {
    ...plain,
    ...Object.fromEntries(secrets.map(({ name, value }) => [name, deps.vault.open(value)])),
    STRATA_BRANCH: branch,
    STRATA_COMMIT: commitSha,
    STRATA_URL: `http://${hostname}${deps.gatewayPort === 80 ? '' : `:${deps.gatewayPort}`}`,
    STRATA_DATA: volume,
  }
}

/** For a child process, which has to have the values. */
export function revealed(env: AppEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.reveal(),
    ]),
  )
}

/** A text without the values of secrets that are long enough to be told from other words. */
export function withoutSecrets(text: string, env: AppEnv): string {
  const values = Object.values(env).flatMap((value) => {
    const secret = typeof value === 'string' ? '' : value.reveal()
    return secret.length >= 4 ? [secret] : []
  })
  return values
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text)
}
