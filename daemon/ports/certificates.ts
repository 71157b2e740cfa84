import type { Redacted } from './redacted.ts'

/** Checks that a domain leads to this server. */
export interface DomainProof {
  /** Returns undefined if the domain leads to this server, otherwise one clause that explains the fault. */
  faultOf(domain: string, signal: AbortSignal): Promise<string | undefined>
}

/** A certificate authority. */
export interface CertificateAuthority {
  /**
   * Gets a certificate for a domain, and sets and removes the challenges at the gateway. Throws CertificateError, also
   * if the authority does not answer in time.
   */
  obtain(domain: string, signal: AbortSignal): Promise<IssuedCertificate>
}

export interface IssuedCertificate {
  /** PEM, leaf first. */
  readonly chain: string
  readonly key: Redacted
  readonly notBefore: number
  readonly notAfter: number
}

/** A certificate of a folder that the operator maintains. */
export interface FileCertificate {
  /** Host names, also with `*.`. */
  readonly hostnames: readonly string[]
  readonly cert: string
  readonly key: Redacted
  readonly notAfter: number
}

export interface CertificateFiles {
  /** Reads files that have changed. Returns true if the certificates have changed. Keeps the last valid pair of a name. */
  refresh(): Promise<boolean>
  list(): readonly FileCertificate[]
}

/** A proof of control over a host name. */
export type Challenge =
  /** Answer to `GET path` of the host on the plain port. */
  | {
      readonly kind: 'http'
      readonly hostname: string
      readonly path: string
      readonly body: string
    }
  /** Certificate for connections that offer only the protocol `acme-tls/1` (RFC 8737). */
  | {
      readonly kind: 'tls'
      readonly hostname: string
      readonly cert: string
      readonly key: string
    }

/** A certificate in the gateway, in PEM form. The private key is plain: do not log it. */
export interface ServedCertificate {
  /** A host name, or `*.` and a domain. */
  readonly hostname: string
  readonly cert: string
  readonly key: string
}
