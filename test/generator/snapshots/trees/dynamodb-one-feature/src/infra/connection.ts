/**
 * The address of a table, and the credentials. The SDK reads missing settings from its own
 * configuration.
 */
export interface Connection {
  table: string
  region?: string
  endpoint?: string
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

/** The default region of Amazon's own tools. DynamoDB Local ignores the region. */
const defaultRegion = 'us-east-1'

/**
 * Parses a URL. `dynamodb://<region>/<table>` is a table of AWS. `dynamodb+http://<host>:<port>/<table>` is a table
 * behind an endpoint, with `?region=` or the default region; so is `dynamodb+https:`. User and password are an
 * access key. Throws if the URL is invalid.
 */
export function connectionOf(databaseUrl: string): Connection {
  const { protocol, host, pathname, username, password, searchParams } = new URL(databaseUrl)
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
  const table = pathname.slice(1)
  const shared = { table, ...(username && { credentials }) }
  const [, scheme] = protocol.slice(0, -1).split('+')
  if (!scheme) return { ...shared, region: host }
  const region = searchParams.get('region') ?? defaultRegion
  return { ...shared, endpoint: `${scheme}://${host}`, region }
}
