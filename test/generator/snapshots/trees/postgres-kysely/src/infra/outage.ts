/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (and statement timeout). */
const sqlStates = /^(08|53|57)[0-9A-Z]{3}$/

/** Matches `ECONNREFUSED`, `ENOTFOUND`, `EAI_AGAIN`; not the codes of TLS and of Node's own checks. */
const systemErrors = /^E(?!RR_|PROTO)[A-Z_]+$/

/** Messages of `pg` for its own timeouts and closed connections, which have no code. */
const messages = /^(timeout e|Query read timeout|Connection terminated|Client .* not queryable)/

/** Returns true if an error of `pg` says that a retry can succeed: no server answers now. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? codeOf(error.cause)
  if (code !== undefined) return sqlStates.test(code) || systemErrors.test(code)
  return messages.test(error.message)
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
