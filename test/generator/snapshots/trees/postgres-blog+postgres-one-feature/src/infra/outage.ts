/** Classes of SQLSTATE: the connection broke, resources are exhausted, an operator (or a time limit) intervened. */
const sqlStates = /^(08|53|57)[0-9A-Z]{3}$/

/** As `ECONNREFUSED`, `ENOTFOUND` and `EAI_AGAIN`; not what TLS and Node's own checks throw. */
const systemErrors = /^E(?!RR_|PROTO)[A-Z_]+$/

/** `pg` gives what it times out and cuts off itself no code. */
const messages = /^(timeout e|Query read timeout|Connection terminated|Client .* not queryable)/

/** Whether an error of `pg`, or what Prisma's adapter made of it, says that no server answers now; one may soon. */
export function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? codeOf(error.cause)
  if (code !== undefined) return sqlStates.test(code) || systemErrors.test(code)
  return messages.test(error.message)
}

function codeOf(error: unknown): string | undefined {
  const { code, originalCode = code } = (error ?? {}) as { code?: unknown; originalCode?: unknown }
  return typeof originalCode === 'string' ? originalCode : undefined
}
