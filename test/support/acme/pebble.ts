import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../apps/eventually.ts'
import { freePort } from '../free-port.ts'

/** A certificate authority for tests, with its own DNS server. */
export interface Pebble {
  readonly directory: string
  /** PEM certificate of the directory. */
  readonly ca: string
  readonly caFile: string
  /** The DNS server: every name has the address 127.0.0.1. */
  readonly resolver: string
  output(): string
  stop(): Promise<void>
}

/** Returns the reason why no authority can run here. Installs Debian's `pebble` as root. */
export function missingPebble(): string | undefined {
  const has = (name: string) => spawnSync('which', [name]).status === 0
  if (!has('openssl')) return 'openssl is not installed'
  if (has('pebble') && has('pebble-challtestsrv')) return undefined
  if (process.getuid?.() !== 0 || !has('apt-get')) return 'pebble is not installed (Debian: pebble)'
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync('apt-get', ['update', '-qq'], { env })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'pebble'], { env })
  return has('pebble') ? undefined : 'apt-get can not install pebble'
}

/** Starts an authority that validates names at the given ports. `env` makes it unreliable: see pebble's README. */
export async function startPebble(options: {
  readonly httpPort: number
  readonly tlsPort: number
  readonly env?: Readonly<Record<string, string>>
  /** Reuses the place of a stopped authority, which forgets everything. */
  readonly place?: PebblePlace
}): Promise<Pebble & { readonly place: PebblePlace }> {
  const { httpPort, tlsPort, env = {} } = options
  const place = options.place ?? (await newPlace())
  const { folder, port, dnsPort, managementPort } = place
  const [certificate, privateKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      ...{ certificate, privateKey, httpPort, tlsPort },
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
    },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const dnsFlags = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', '']
  const children: ChildProcess[] = []
  let output = ''
  const run = (program: string, args: string[]) => {
    const child = spawn(program, args, { env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', ...env } })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output = (output + chunk).slice(-1_000_000)
      })
    }
    children.push(child)
  }
  run('pebble-challtestsrv', [
    ...['-defaultIPv4', '127.0.0.1', '-dns01', `127.0.0.1:${dnsPort}`],
    ...['-management', `127.0.0.1:${place.dnsManagementPort}`, ...dnsFlags],
  ])
  run('pebble', ['-config', join(folder, 'config.json'), '-dnsserver', `127.0.0.1:${dnsPort}`])
  const isUp = () => output.includes('ACME directory available')
  if (!(await eventually(isUp, 10_000))) throw new Error(`pebble does not start: ${output}`)
  return {
    place,
    directory: `https://localhost:${port}/dir`,
    ca: readFileSync(certificate, 'utf8'),
    caFile: certificate,
    resolver: `127.0.0.1:${dnsPort}`,
    output: () => output,
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
    },
  }
}

export interface PebblePlace {
  readonly folder: string
  readonly port: number
  readonly managementPort: number
  readonly dnsPort: number
  readonly dnsManagementPort: number
}

const folders: string[] = []

export function removePebbles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

async function newPlace(): Promise<PebblePlace> {
  const folder = mkdtempSync(join(tmpdir(), 'pebble-'))
  folders.push(folder)
  makeCertificate(folder)
  return {
    folder,
    port: await freePort(),
    managementPort: await freePort(),
    dnsPort: await freePort(),
    dnsManagementPort: await freePort(),
  }
}

/** Writes `cert.pem` and `key.pem` for localhost. */
export function makeCertificate(folder: string): void {
  const flags = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-nodes', '-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync('openssl', [...flags, ...names, '-days', '2', ...files], { stdio: 'ignore' })
}
