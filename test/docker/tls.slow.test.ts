import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDockerHost } from '../../daemon/engine/docker-host.ts'
import { createEngine } from '../../daemon/engine/engine.ts'
import { probeEngine } from '../../daemon/engine/version.ts'
import { makeCertificates } from '../support/daemon/docker/certificates.ts'
import {
  missingEngine,
  startTestEngine,
  type TestEngine,
} from '../support/daemon/docker/test-engine.ts'
import { freePort } from '../support/free-port.ts'

const skip = missingEngine()

describe.skipIf(skip !== undefined)('an engine with mutual TLS', () => {
  let engine: TestEngine
  let port: number
  const folder = mkdtempSync(join(tmpdir(), 'strata-tls-'))
  const certificates = { own: join(folder, 'own'), other: join(folder, 'other') }

  beforeAll(async () => {
    for (const place of Object.values(certificates)) makeCertificates(place, '127.0.0.1')
    port = await freePort()
    const { own } = certificates
    engine = await startTestEngine({
      images: [],
      flags: [
        ...['-H', `tcp://127.0.0.1:${port}`, '--tlsverify', '--tlscacert', join(own, 'ca.pem')],
        ...['--tlscert', join(own, 'server.pem'), '--tlskey', join(own, 'server-key.pem')],
      ],
    })
  })
  afterAll(async () => {
    await engine?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  function probe(env: Readonly<Record<string, string>>) {
    const host = { DOCKER_HOST: `tcp://127.0.0.1:${port}` }
    const { address, faults } = readDockerHost({ ...host, ...env }, { allowInsecure: true })
    if (!address) throw new Error(faults.join())
    return probeEngine(createEngine(address))
  }

  test('answers a client with its certificates', async () => {
    const { cpuCount } = await probe({ DOCKER_CERT_PATH: certificates.own })
    expect(cpuCount).toBeGreaterThan(0)
  })

  test('is refused with certificates of another authority, and no key is shown', async () => {
    const failed = await probe({ DOCKER_CERT_PATH: certificates.other }).catch((error) => error)
    expect(failed.message).toMatch(/do not accept each other's certificates.*DOCKER_CERT_PATH/)
    expect(`${failed.message} ${failed.stack} ${JSON.stringify(failed)}`).not.toContain(
      'PRIVATE KEY',
    )
    expect(failed.cause).toBeUndefined()
  })

  test('is refused without TLS, and the message names the setting', async () => {
    await expect(probe({})).rejects.toThrow(/DOCKER_TLS_VERIFY/)
  })

  test('that hangs fails a call within its time limit', async () => {
    engine.signal('SIGSTOP')
    try {
      await expect(probe({ DOCKER_CERT_PATH: certificates.own })).rejects.toThrow(
        /does not respond/,
      )
    } finally {
      engine.signal('SIGCONT')
    }
    expect(await probe({ DOCKER_CERT_PATH: certificates.own })).toBeDefined()
  })
})
