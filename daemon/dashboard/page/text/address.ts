import type { Environment } from '../../../client/contract.ts'

/** Returns the URL of a live environment; undefined for others. */
export function addressOf({
  url,
  public_port: port,
}: Pick<Environment, 'url' | 'public_port'>): string | undefined {
  if (port === null) return undefined
  if (port === 443) return `https://${url}`
  return port === 80 ? `http://${url}` : `http://${url}:${port}`
}
