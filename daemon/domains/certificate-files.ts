import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { redacted } from '../domain/redacted.ts'
import type { CertificateFiles, FileCertificate, Logger } from '../ports.ts'

const maxPairs = 1_000
const maxFileBytes = 1024 * 1024

interface Pair {
  readonly certPath: string
  readonly keyPath: string
}

/**
 * Creates the reader of a folder with pairs of PEM files: `NAME.crt` or `NAME.pem` with `NAME.key`, or certbot's
 * `fullchain.pem` with `privkey.pem`. A pair that does not fit together keeps its previous certificate, because another
 * program may be writing it.
 */
export function createCertificateFiles(deps: {
  readonly folder: string
  readonly logger: Pick<Logger, 'warn'>
}): CertificateFiles {
  const { folder, logger } = deps
  let read = new Map<string, { signature: string; certificate: FileCertificate | undefined }>()

  async function readPair({ certPath, keyPath }: Pair): Promise<FileCertificate | undefined> {
    try {
      const [cert, key] = await Promise.all([readFile(certPath, 'utf8'), readFile(keyPath, 'utf8')])
      return parsePair(cert, key)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      logger.warn({ certPath, reason }, 'a certificate of SERVICE_GATEWAY_TLS_FILES is not usable')
      return undefined
    }
  }

  return {
    async refresh() {
      const next: typeof read = new Map()
      let hasChanged = false
      for (const pair of await listPairs(folder, logger)) {
        const signature = await signatureOf(pair)
        const known = read.get(pair.certPath)
        if (known?.signature === signature) {
          next.set(pair.certPath, known)
          continue
        }
        const certificate = (await readPair(pair)) ?? known?.certificate
        next.set(pair.certPath, { signature, certificate })
        if (certificate !== known?.certificate) hasChanged = true
      }
      for (const [path, { certificate }] of read) {
        if (certificate && !next.has(path)) hasChanged = true
      }
      read = next
      return hasChanged
    },
    list: () => [...read.values()].flatMap(({ certificate }) => certificate ?? []),
  }
}

async function listPairs(folder: string, logger: Pick<Logger, 'warn'>): Promise<Pair[]> {
  let names: Set<string>
  try {
    names = new Set(await readdir(folder))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    logger.warn({ folder, code }, "can't read the folder of SERVICE_GATEWAY_TLS_FILES")
    return []
  }
  const pairs: Pair[] = []
  for (const name of [...names].sort()) {
    const base = /^(.+)\.(?:crt|pem)$/.exec(name)?.[1]
    const keyName = name === 'fullchain.pem' ? 'privkey.pem' : `${base}.key`
    if (base === undefined || !names.has(keyName)) continue
    pairs.push({ certPath: join(folder, name), keyPath: join(folder, keyName) })
  }
  return pairs.slice(0, maxPairs)
}

async function signatureOf({ certPath, keyPath }: Pair): Promise<string> {
  const parts = [certPath, keyPath].map(async (path) => {
    const { size, mtimeMs, ino } = await stat(path)
    return `${size} ${mtimeMs} ${ino}`
  })
  // A file that disappears meanwhile is missing in the next list.
  return (await Promise.all(parts).catch(() => [])).join(' ')
}

/** Throws an Error that names the fault. */
function parsePair(cert: string, key: string): FileCertificate {
  if (cert.length > maxFileBytes || key.length > maxFileBytes)
    throw new Error('a file is too large')
  const leaf = new X509Certificate(cert)
  if (!leaf.checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the private key belongs to another certificate')
  }
  const hostnames = (leaf.subjectAltName ?? '')
    .split(', ')
    .flatMap((each) => (each.startsWith('DNS:') ? each.slice(4).toLowerCase() : []))
  if (hostnames.length === 0) throw new Error('the certificate names no host (subjectAltName)')
  return { hostnames, cert, key: redacted(key), notAfter: Date.parse(leaf.validTo) }
}
