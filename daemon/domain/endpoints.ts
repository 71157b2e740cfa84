import type { Environment } from './records.ts'

/** An address at which an app accepts connections. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Host of apps that run on the daemon's own machine. */
export const ownHost = '127.0.0.1'

/** Returns the endpoint of an environment; null if the app sleeps or is down. */
export function endpointOf({
  hostPort,
  hostAddress,
}: Pick<Environment, 'hostPort' | 'hostAddress'>): Endpoint | null {
  return hostPort === null ? null : { host: hostAddress ?? ownHost, port: hostPort }
}

/** Returns the fields of an environment that record where its app runs. */
export function placeOf(app: {
  readonly containerName: string
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
}): Pick<Environment, 'containerName' | 'hostAddress' | 'hostPort'> {
  const [{ host, port }] = app.endpoints
  const hostAddress = host === ownHost ? null : host
  return { containerName: app.containerName, hostAddress, hostPort: port }
}

/** Returns true if an environment records the endpoint of a running app. */
export function isRecorded(
  environment: Pick<Environment, 'hostPort' | 'hostAddress'>,
  app: { readonly endpoints: readonly [Endpoint, ...Endpoint[]] } | undefined,
): boolean {
  const recorded = endpointOf(environment)
  const [endpoint] = app?.endpoints ?? []
  return endpoint?.host === recorded?.host && endpoint?.port === recorded?.port
}
