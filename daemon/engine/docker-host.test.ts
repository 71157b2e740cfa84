import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addressText, readDockerHost } from './docker-host.ts'

const strict = { allowInsecure: false }

describe('DOCKER_HOST', () => {
  test('is the usual socket if it is not set', () => {
    const { address, faults } = readDockerHost({}, strict)
    expect(faults).toEqual([])
    expect(address && addressText(address)).toBe('unix:///var/run/docker.sock')
  })

  test('with certificates reads them, and shows no key', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-certs-'))
    for (const name of ['ca', 'cert', 'key'])
      writeFileSync(join(folder, `${name}.pem`), `the ${name}`)
    const env = { DOCKER_HOST: 'tcp://10.0.0.5', DOCKER_CERT_PATH: folder }
    const { address } = readDockerHost(env, strict)
    expect(address).toMatchObject({
      kind: 'tcp',
      host: '10.0.0.5',
      port: 2376,
      tls: { ca: 'the ca' },
    })
    expect(JSON.stringify(address)).not.toContain('the key')
  })

  test.each([
    ['ssh://root@host', /must not begin with ssh:\/\//],
    ['npipe:////./pipe/docker', /must be unix:\/\/\/path or tcp:\/\/host:port/],
    ['tcp://host:99999', /must be unix/],
    ['tcp://user:secret@host:2376', /must be unix/],
    ['tcp://host:2375', /has no TLS.*SERVICE_ALLOW_INSECURE_NODES=1/],
  ])('refuses %s', (DOCKER_HOST, message) => {
    const { address, faults } = readDockerHost({ DOCKER_HOST }, strict)
    expect(address).toBeUndefined()
    expect(faults).toEqual([expect.stringMatching(message)])
    expect(faults.join()).not.toContain('secret')
  })

  test('without TLS is allowed by the setting', () => {
    const { address } = readDockerHost({ DOCKER_HOST: 'tcp://[::1]:2375' }, { allowInsecure: true })
    expect(address).toEqual({ kind: 'tcp', host: '::1', port: 2375, tls: null })
  })
})
