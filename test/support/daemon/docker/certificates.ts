import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes an authority in `folder` with a certificate of the server `host` (`server.pem`, `server-key.pem`) and one of a
 * client (`cert.pem`, `key.pem`).
 */
export function makeCertificates(folder: string, host: string): void {
  mkdirSync(folder, { recursive: true })
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = (file: string) =>
    openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', file)
  key('ca-key.pem')
  openssl(
    ...['req', '-x509', '-new', '-key', 'ca-key.pem', '-days', '30'],
    ...[
      ...['-subj', '/CN=fleet CA', '-out', 'ca.pem'],
      ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
    ],
  )
  const sign = (name: string, keyFile: string, extensions: string) => {
    key(keyFile)
    writeFileSync(join(folder, 'extensions'), extensions)
    openssl('req', '-new', '-key', keyFile, '-subj', `/CN=${name}`, '-out', 'request')
    const signed = ['x509', '-req', '-in', 'request', '-CA', 'ca.pem', '-CAkey', 'ca-key.pem']
    openssl(...signed, '-CAcreateserial', '-days', '30', '-extfile', 'extensions', '-out', name)
  }
  sign('server.pem', 'server-key.pem', `subjectAltName=IP:${host}\nextendedKeyUsage=serverAuth\n`)
  sign('cert.pem', 'key.pem', 'extendedKeyUsage=clientAuth\n')
}
