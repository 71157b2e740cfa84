import * as z from 'zod'
import { branch, id, line, time } from './fields.ts'

export const addDomain = z.strictObject({
  domain: line(1_024),
  /** Default: the default branch of the project. */
  branch: branch.optional(),
})

/** The domain to try again. */
export const retryDomain = z.strictObject({ domain: line(1_024) })

export const domainQuery = z.strictObject({ domain: line(1_024) })

const dnsRecord = z.strictObject({
  type: z.enum(['A', 'AAAA', 'CNAME']),
  name: z.string(),
  value: z.string(),
})

export const domain = z.strictObject({
  id,
  /** In Punycode. */
  domain: z.string(),
  /** `null`: the default branch. */
  branch: z.string().nullable(),
  /**
   * `http`: the daemon has no certificate for it. `pending`: the first certificate is on its way. `secure`: it has a
   * certificate. `trouble`: see `fault`.
   */
  state: z.enum(['http', 'pending', 'secure', 'trouble']),
  /** Reason for the last failure to get a certificate. */
  fault: z.string().nullable(),
  /** Time of the next try after a failure. */
  next_try_at: time.nullable(),
  certificate: z
    .strictObject({
      expires_at: time,
      /** `null`: the certificate comes from a file of the operator. */
      renews_at: time.nullable(),
    })
    .nullable(),
  /** Records with which the domain leads to this server; empty if its public address is unknown. */
  dns: z.array(dnsRecord),
  created_at: time,
})
