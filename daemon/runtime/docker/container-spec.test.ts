import { describe, expect, test } from 'vitest'
import { redacted } from '../../domain/redacted.ts'
import type { AppSpec } from '../../ports.ts'
import { containerSpec } from './container-spec.ts'

const launch: AppSpec['launch'] = {
  root: '',
  start: [],
  health: null,
  healthTimeoutMs: 1,
  port: null,
  memoryMb: 128,
  cpus: 0.5,
  pids: 64,
  env: { COLOUR: 'blue' },
  keepReleases: 3,
}
const app: AppSpec = {
  ...{ name: 'strata-1', environmentId: 1, projectId: 1, folder: '/r', volume: '/v' },
  launch,
  env: { STRATA_DATA: '/v', SECRET: redacted('s3cret') },
}
const image = {
  ...{ imageId: 'sha256:1', tag: 't', command: null, workingFolder: '/app' },
  ...{ user: '', exposedPort: null },
}
const place = { network: 'n', publishOn: '127.0.0.1', user: { uid: 1000, gid: 1000 } }

describe('the container of an app', () => {
  test('has no privileges, its limits, its data and a port of the node only', () => {
    expect(containerSpec(app, image, place)).toMatchObject({
      User: '1000:1000',
      Env: ['COLOUR=blue', 'STRATA_DATA=/data', 'SECRET=s3cret', 'PORT=8080'],
      HostConfig: {
        Memory: 128 * 2 ** 20,
        MemorySwap: 128 * 2 ** 20,
        NanoCpus: 5e8,
        PidsLimit: 64,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges:true'],
        Mounts: [{ Type: 'bind', Source: '/v', Target: '/data' }],
        PortBindings: { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: '0' }] },
        RestartPolicy: { Name: 'no' },
      },
    })
  })

  test.each([
    ['', '1000:1000'],
    ['root', '1000:1000'],
    ['0:0', '1000:1000'],
    ['node', 'node'],
    ['33:33', '33:33'],
  ])('of an image with the user "%s" runs as %s', (user, expected) => {
    expect(containerSpec(app, { ...image, user }, place).User).toBe(expected)
  })

  test('listens on deploy.port, else on the port of the image', () => {
    const exposed = { ...image, exposedPort: 80 }
    expect(containerSpec(app, exposed, place).ExposedPorts).toEqual({ '80/tcp': {} })
    const fixed = { ...app, launch: { ...launch, port: 3000 } }
    expect(containerSpec(fixed, exposed, place).ExposedPorts).toEqual({ '3000/tcp': {} })
  })

  test('has a read-only image and a temporary /tmp with read_only', () => {
    const spec = containerSpec({ ...app, launch: { ...launch, readOnly: true } }, image, place)
    expect(spec.HostConfig).toMatchObject({
      ReadonlyRootfs: true,
      Tmpfs: { '/tmp': expect.any(String) },
    })
    expect(containerSpec(app, image, place).HostConfig).not.toHaveProperty('ReadonlyRootfs')
  })
})
