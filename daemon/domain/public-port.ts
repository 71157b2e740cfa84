import { findFileCertificate } from './file-certificates.ts'

/** Returns the port at which visitors reach a host name below the base domain. */
export type PublicPort = (hostname: string) => number

const httpsPort = 443

/**
 * Creates the public port of host names: 443 if the gateway serves HTTPS there and a certificate of a file covers the host
 * name, otherwise the plain port of the gateway. `tlsPort` is null without HTTPS.
 */
export function createPublicPort(gateway: {
  readonly port: number
  readonly tlsPort: number | null
  readonly certificates: () => readonly { readonly hostnames: readonly string[] }[]
}): PublicPort {
  const { port, tlsPort, certificates } = gateway
  if (tlsPort !== httpsPort) return () => port
  return (hostname) => (findFileCertificate(certificates(), hostname) ? httpsPort : port)
}

/** Returns the URL of a host name at its public port. */
export function appAddress(hostname: string, port: number): string {
  if (port === httpsPort) return `https://${hostname}`
  return port === 80 ? `http://${hostname}` : `http://${hostname}:${port}`
}
