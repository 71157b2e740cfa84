import { crypto } from 'acme-client'

export interface TestCertificate {
  readonly hostname: string
  readonly cert: string
  readonly key: string
}

/** Creates a certificate with one name, which may be a wildcard. No client trusts it. */
export async function selfSigned(hostname: string): Promise<TestCertificate> {
  const authorization = { identifier: { type: 'dns', value: hostname } }
  const key = await crypto.createPrivateEcdsaKey('P-256')
  const [, cert] = await crypto.createAlpnCertificate(authorization as never, 'unused', key)
  return { hostname, cert: cert.toString(), key: key.toString() }
}
