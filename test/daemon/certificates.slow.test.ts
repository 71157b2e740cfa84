import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'acme-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAcmeAuthority } from '../../daemon/acme/authority.ts'
import { createFailpoints } from '../../daemon/app/ground/failpoints.ts'
import { createCertificates } from '../../daemon/app/run/certificates.ts'
import { createDomainProof } from '../../daemon/domains/domain-proof.ts'
import type { Database, KeyVault } from '../../daemon/ports.ts'
import { createStore } from '../../daemon/store/store.ts'
import { createVault } from '../../daemon/vault/vault.ts'
import {
  makeCertificate,
  missingPebble,
  type Pebble,
  removePebbles,
  startPebble,
} from '../support/acme/pebble.ts'
import { createFakeClock } from '../support/daemon/app/fake-clock.ts'
import {
  endGateways,
  gatewayAt,
  newPlace,
  type Started,
} from '../support/daemon/gateway/started.ts'
import { projectDraft } from '../support/daemon/store/record-drafts.ts'
import { peerCertificate } from '../support/daemon/tls/visit-tls.ts'
import { freePort } from '../support/free-port.ts'

const missing = missingPebble()
if (missing !== undefined) process.stderr.write(`certificates are not tested: ${missing}\n`)

const shop = 'shop.example.test'

describe.skipIf(missing !== undefined)('certificates of pebble', () => {
  let folder: string
  let store: Database
  let vault: KeyVault
  let started: Started
  let tlsPort: number
  let pebble: Pebble
  const pebbles: Pebble[] = []

  beforeAll(async () => {
    const place = await newPlace()
    tlsPort = await freePort()
    const address = { host: '127.0.0.1', port: tlsPort }
    started = gatewayAt(place, { tls: { address, hstsSeconds: null, keepsKeys: true } })
    await started.gateway.start()
    pebble = await start({})
  })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'strata-acme-'))
    store = await createStore({ file: join(folder, 'strata.db'), now: Date.now })
    vault = await createVault({ keyFile: join(folder, 'master.key') }, { sealed: store.sealed })
    await store.projects.create(projectDraft())
    await started.gateway.replaceCertificates([])
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(async () => {
    for (const each of pebbles) await each.stop()
    removePebbles()
    await endGateways()
  })

  async function start(options: Partial<Parameters<typeof startPebble>[0]>) {
    const ports = { httpPort: started.port, tlsPort }
    const made = await startPebble({ ...ports, ...options })
    pebbles.push(made)
    return made
  }

  /** The daemon's part that gets certificates, with a clock that the test moves. */
  function daemonPart(at: Pick<Pebble, 'directory' | 'ca'> = pebble, hasProof = true) {
    const clock = createFakeClock(Date.now())
    const { gateway } = started
    const log = () => {}
    const certificates = createCertificates({
      ...{ store, vault, gateway, clock },
      logger: { debug: log, info: log, warn: log, error: console.error },
      failpoints: createFailpoints(),
      announce: async () => undefined,
      authority: createAcmeAuthority({
        directory: at.directory,
        ca: at.ca,
        email: 'ops@example.test',
        ...{ gateway, vault, accounts: store.acmeAccounts },
      }),
      ...(hasProof && {
        proof: createDomainProof({
          gateway,
          publicAddresses: [],
          resolver: pebble.resolver,
          httpPort: started.port,
        }),
      }),
    })
    return { clock, certificates }
  }

  const add = (domain = shop) =>
    store.domains.add({ projectId: 1, domain, branch: null, createdAt: Date.now() })
  async function find(domain = shop) {
    const found = await store.domains.find(domain)
    if (!found) throw new Error(`${domain} is missing`)
    return found
  }
  const serialAt = async (domain = shop) => (await peerCertificate(tlsPort, domain)).serialNumber

  test('a verified domain gets a certificate by HTTP-01, another host name none', async () => {
    const { certificates } = daemonPart()
    await add()
    await expect(peerCertificate(tlsPort, 'nobody.example.test')).rejects.toThrow()
    await certificates.runOnce()
    expect(await find()).toMatchObject({ fault: null, failures: 0 })
    const shown = await peerCertificate(tlsPort, shop)
    expect(shown.subjectaltname).toBe(`DNS:${shop}`)
    expect((await find()).certificate?.notAfter).toBe(Date.parse(shown.valid_to))
    expect(pebble.output()).toContain(shop)
    expect(pebble.output()).not.toContain('nobody.example.test')
    const bytes = readFileSync(join(folder, 'strata.db'), 'latin1')
    expect(bytes).not.toContain('PRIVATE KEY')
  })

  test('a domain whose plain port the authority can not reach gets its certificate by TLS-ALPN-01', async () => {
    const closed = await start({ httpPort: await freePort() })
    const { certificates } = daemonPart(closed)
    await add()
    await certificates.runOnce()
    expect(await find()).toMatchObject({ fault: null, failures: 0 })
    expect((await peerCertificate(tlsPort, shop)).subjectaltname).toBe(`DNS:${shop}`)
    await closed.stop()
  })

  test('a failed validation is explained, and a later try succeeds', async () => {
    const [httpPort, otherTlsPort] = [await freePort(), await freePort()]
    const unreachable = await start({ httpPort, tlsPort: otherTlsPort })
    const { certificates, clock } = daemonPart(unreachable)
    await add()
    await certificates.runOnce()
    const { fault, failures, certificate } = await find()
    expect(fault).toMatch(/could not validate shop\.example\.test \(http-01: .+; tls-alpn-01: .+\)/)
    expect([failures, certificate]).toEqual([1, null])
    await unreachable.stop()
    const { place } = unreachable
    const repaired = await start({ place })
    clock.jump(15 * 60_000)
    await certificates.runOnce()
    expect(await find()).toMatchObject({ fault: null, failures: 0 })
    await repaired.stop()
  })

  test('rejected nonces delay an order and do not fail it', async () => {
    const nasty = await start({ env: { PEBBLE_WFE_NONCEREJECT: '15' } })
    const { certificates } = daemonPart(nasty)
    await add()
    await certificates.runOnce()
    expect(await find()).toMatchObject({ fault: null, failures: 0 })
    await nasty.stop()
  })

  test('a certificate is renewed after two thirds of its life, and serves until then', async () => {
    const { certificates, clock } = daemonPart()
    await add()
    await certificates.runOnce()
    const first = await serialAt()
    const life = (await find()).certificate
    if (!life) throw new Error('no certificate')
    const renewal = life.notBefore + Math.floor(((life.notAfter - life.notBefore) * 2) / 3)
    clock.jump(renewal - 60_000 - clock.now())
    await certificates.runOnce()
    expect(await serialAt()).toBe(first)
    clock.jump(120_000)
    await certificates.runOnce()
    expect(await serialAt()).not.toBe(first)
  })

  test('a deactivated and a forgotten account are replaced', async () => {
    const other = await start({})
    const { certificates } = daemonPart(other)
    await add()
    await certificates.runOnce()
    const sealed = await store.acmeAccounts.find(other.directory)
    if (!sealed) throw new Error('no account')
    const accountKey = vault.open(sealed).reveal()
    const client = new Client({ directoryUrl: other.directory, accountKey })
    await client.createAccount({ onlyReturnExisting: true })
    await client.updateAccount({ status: 'deactivated' } as never)
    await add('second.example.test')
    await certificates.runOnce()
    expect(await find('second.example.test')).toMatchObject({ fault: null, failures: 0 })
    const replaced = await store.acmeAccounts.find(other.directory)
    expect(replaced && vault.open(replaced).reveal()).not.toBe(accountKey)
    await other.stop()
    const forgetful = await start({ place: other.place })
    await add('third.example.test')
    await certificates.runOnce()
    expect(await find('third.example.test')).toMatchObject({ fault: null, failures: 0 })
    await forgetful.stop()
  })

  test('a rate limit of the authority is explained and delays the next try', async () => {
    makeCertificate(folder)
    const [cert, key] = ['cert.pem', 'key.pem'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    let orders = 0
    const server = createServer({ cert, key }, (req, res) => {
      const base = `https://localhost:${(server.address() as AddressInfo).port}`
      res.setHeader('Replay-Nonce', 'nonce')
      if (req.url === '/dir') {
        const urls = ['newNonce', 'newAccount', 'newOrder'].map((name) => [name, `${base}/${name}`])
        res
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify(Object.fromEntries(urls)))
      } else if (req.url === '/newAccount') {
        res.writeHead(201, { Location: `${base}/account` }).end('{"status":"valid"}')
      } else if (req.url === '/newOrder') {
        orders += 1
        const type = 'urn:ietf:params:acme:error:rateLimited'
        res.writeHead(429, { 'Retry-After': '7200', 'Content-Type': 'application/problem+json' })
        res.end(JSON.stringify({ type, detail: 'too many certificates already issued' }))
      } else res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
    const { port } = server.address() as AddressInfo
    const at = { directory: `https://localhost:${port}/dir`, ca: cert ?? '' }
    const { certificates, clock } = daemonPart(at)
    await add()
    await certificates.runOnce()
    const { fault, tryAfter } = await find()
    expect(fault).toBe(
      `localhost:${port} refuses more requests for now: too many certificates already issued`,
    )
    expect(tryAfter).toBe(clock.now() + 7_200_000)
    clock.jump(7_199_000)
    await certificates.runOnce()
    expect(orders).toBe(1)
    await new Promise((resolve) => server.close(resolve))
  })

  test('an authority that does not answer is explained', async () => {
    const directory = `https://localhost:${await freePort()}/dir`
    const { certificates } = daemonPart({ directory, ca: pebble.ca })
    await add()
    await certificates.runOnce()
    expect((await find()).fault).toMatch(/^localhost:\d+ can not be reached$/)
  })
})
