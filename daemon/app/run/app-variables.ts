import { passwordsIn } from '../../domain/mask-secrets.ts'
import { appAddress, type PublicPort } from '../../domain/public-port.ts'
import type { Environment } from '../../domain/records.ts'
import type { Redacted, Store, Vault } from '../../ports.ts'

export type AppVariables = Readonly<Record<string, string | Redacted>>

/**
 * Returns an app's environment variables: the commit's plain values, overridden by secrets (branch over project over
 * global), overridden by `STRATA_*`. The runtime adds `PORT` and `NODE_ENV`. `volume` is an absolute path.
 */
export async function appVariables(
  deps: { store: Pick<Store, 'secrets'>; vault: Vault; publicPort: PublicPort },
  environment: Pick<Environment, 'projectId' | 'branch' | 'commitSha' | 'hostname'>,
  {
    plain,
    volume,
    databaseUrl,
  }: {
    plain: Readonly<Record<string, string>>
    volume: string
    /** URL of the database that the daemon made for the branch. */
    databaseUrl?: Redacted | undefined
  },
): Promise<AppVariables> {
  const { projectId, branch, commitSha, hostname } = environment
  const secrets = await deps.store.secrets.listFor(projectId, branch)
  return {
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...plain,
    ...Object.fromEntries(
      secrets.map(({ name, value, isReadable }) => {
        const opened = deps.vault.open(value)
        return [name, isReadable ? opened.reveal() : opened]
      }),
    ),
    STRATA_BRANCH: branch,
    STRATA_COMMIT: commitSha,
    STRATA_URL: appAddress(hostname, deps.publicPort(hostname)),
    STRATA_DATA: volume,
  }
}

/** Returns the variables with secrets in plain text, for a child process. */
export function revealed(env: AppVariables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value.reveal(),
    ]),
  )
}

/**
 * Replaces secret values in a text with `[redacted]`. Values under 4 characters are kept: they match ordinary words.
 */
export function withoutSecrets(text: string, env: AppVariables): string {
  const secrets = Object.values(env).flatMap((value) => {
    const secret = typeof value === 'string' ? '' : value.reveal()
    return secret.length >= 4 ? [secret, ...passwordsIn(secret)] : []
  })
  return secrets
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text)
}
