import { afterEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { DomainProof } from '../../ports.ts'

let rig: Rig

afterEach(() => rig.close())

const add = (domain: string, branch: string | null = null, projectId = rig.project.id) =>
  rig.app.useCases.domains.add({ projectId, domain, branch }, operator)
const deployed = (branch: string) => {
  rig.commit(branch)
  return rig.deployed(branch)
}
const portOf = (hostname: string) => rig.gateway.routes.get(hostname)?.port
const auditKinds = async () =>
  (await rig.store.audit.list({ projectId: rig.project.id, limit: 50 })).map(({ kind }) => kind)

test('a domain leads to the default branch through deploys, pauses and wakes', async () => {
  rig = await createRig()
  const first = await deployed('main')
  const { domain, state } = await add('Shop.Example.COM')
  expect([domain.domain, domain.branch, state]).toEqual(['shop.example.com', null, 'http'])
  expect(portOf('shop.example.com')).toBe(first.hostPort)
  await rig.app.useCases.environments.pause(first.id, operator)
  expect(portOf('shop.example.com')).toBeNull()
  await rig.app.useCases.environments.wake(first.id, operator)
  expect(portOf('shop.example.com')).toBe((await rig.row(first.id)).hostPort)
  const second = await deployed('main')
  expect(rig.gateway.routes.get('shop.example.com')).toMatchObject({
    environmentId: second.id,
    port: second.hostPort,
  })
})

test('a domain of a branch moves with a repeated request and answers nothing without the branch', async () => {
  rig = await createRig()
  const main = await deployed('main')
  const preview = await deployed('preview')
  await add('shop.example.com', 'preview')
  expect(portOf('shop.example.com')).toBe(preview.hostPort)
  await add('shop.example.com')
  expect(portOf('shop.example.com')).toBe(main.hostPort)
  await add('shop.example.com', 'preview')
  await rig.app.useCases.environments.destroy(preview.id, { purgeSecrets: false }, operator)
  expect(portOf('shop.example.com')).toBeUndefined()
  expect(portOf(main.hostname)).toBe(main.hostPort)
  const again = await deployed('preview')
  expect(portOf('shop.example.com')).toBe(again.hostPort)
})

test('a restarted daemon sends the routes of all domains', async () => {
  rig = await createRig()
  const main = await deployed('main')
  await add('shop.example.com')
  await add('waiting.example.com', 'unborn')
  rig.gateway.routes.clear()
  await rig.restart()
  expect(portOf('shop.example.com')).toBe(main.hostPort)
  expect(rig.gateway.routes.has('waiting.example.com')).toBe(false)
})

test('removing a domain removes its route and its certificate, and writes audit records', async () => {
  rig = await createRig()
  await deployed('main')
  await add('shop.example.com')
  const certificate = { hostname: 'shop.example.com', cert: 'c', key: 'k' }
  await rig.gateway.setCertificate(certificate)
  await rig.app.useCases.domains.remove(rig.project.id, 'SHOP.example.com', operator)
  expect(portOf('shop.example.com')).toBeUndefined()
  expect(rig.gateway.certificates.size).toBe(0)
  expect(await rig.app.useCases.domains.list(rig.project.id)).toEqual([])
  expect((await auditKinds()).slice(0, 2)).toEqual(['domain_removed', 'domain_added'])
  const again = rig.app.useCases.domains.remove(rig.project.id, 'shop.example.com', operator)
  await expect(again).rejects.toMatchObject({ kind: 'not-found' })
})

test('a domain belongs to one project, until that project is removed', async () => {
  rig = await createRig()
  await deployed('main')
  const other = await rig.addProject('other')
  await add('shop.example.com')
  const taken = { kind: 'conflict', message: expect.stringMatching(/another project/) }
  await expect(add('shop.example.com', null, other.id)).rejects.toMatchObject(taken)
  const remove = rig.app.useCases.domains.remove(other.id, 'shop.example.com', operator)
  await expect(remove).rejects.toMatchObject({ kind: 'not-found' })
  await rig.app.useCases.projects.remove(rig.project.id, { purgeData: false }, operator)
  expect(portOf('shop.example.com')).toBeUndefined()
  await expect(add('shop.example.com', null, other.id)).resolves.toMatchObject({ state: 'http' })
})

test('concurrent requests of two projects give a domain to one of them', async () => {
  rig = await createRig()
  const other = await rig.addProject('other')
  const results = await Promise.allSettled([
    add('shop.example.com'),
    add('shop.example.com', null, other.id),
  ])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a domain that does not lead here is refused with its DNS records and leaves nothing', async () => {
  const asked: string[] = []
  const proof: DomainProof = {
    async faultOf(domain) {
      asked.push(domain)
      return 'DNS has no address for it'
    },
  }
  rig = await createRig({ domains: { proof, publicAddresses: ['203.0.113.7'] } })
  await deployed('main')
  await expect(add('shop.example.com')).rejects.toMatchObject({
    kind: 'unprocessable',
    message:
      'shop.example.com does not lead to this server yet: DNS has no address for it. Set this at your DNS provider, and try again in some minutes: A shop.example.com 203.0.113.7',
    details: {
      fault: 'DNS has no address for it',
      dns: [{ type: 'A', name: 'shop.example.com', value: '203.0.113.7' }],
    },
  })
  expect(await rig.store.domains.list(null)).toEqual([])
  expect(portOf('shop.example.com')).toBeUndefined()
  await expect(add('*.example.com')).rejects.toMatchObject({ kind: 'bad-request' })
  await expect(add('x.localhost')).rejects.toMatchObject({ kind: 'bad-request' })
  expect(asked).toEqual(['shop.example.com'])
})

test('a retry asks the authority at once if the domain leads here, and then waits for 12 minutes', async () => {
  let fault: string | undefined
  rig = await createRig({
    domains: {
      proof: { faultOf: async () => fault },
      authority: { obtain: async () => Promise.reject(new Error('not asked')) },
    },
  })
  const { domains } = rig.app.useCases
  const { domain } = await add('shop.example.com')
  const fail = () =>
    rig.store.domains.update(domain.id, { fault: 'no', failures: 1, tryAfter: 9e15 })
  const retry = (name: string) => domains.retry(rig.project.id, name)
  expect((await retry('Shop.example.com')).state).toBe('pending')
  await fail()
  fault = 'DNS has no address for it'
  await expect(retry('shop.example.com')).rejects.toMatchObject({ kind: 'unprocessable' })
  expect((await rig.store.domains.find('shop.example.com'))?.tryAfter).toBe(9e15)
  fault = undefined
  await retry('shop.example.com')
  expect((await rig.store.domains.find('shop.example.com'))?.tryAfter).toBe(0)
  await fail()
  await expect(retry('shop.example.com')).rejects.toMatchObject({
    kind: 'throttled',
    details: { retry_after: 720 },
  })
  await rig.clock.advance(720_000)
  await expect(retry('shop.example.com')).resolves.toMatchObject({ state: 'trouble' })
  await expect(retry('other.example.com')).rejects.toMatchObject({ kind: 'not-found' })
  const other = await rig.addProject('other')
  await expect(domains.retry(other.id, 'shop.example.com')).rejects.toMatchObject({
    kind: 'not-found',
  })
})

test('a removed domain stays removed while a deploy routes its branch', async () => {
  rig = await createRig()
  const main = await deployed('main')
  await add('shop.example.com')
  const pausing = rig.app.useCases.environments.pause(main.id, operator)
  await rig.app.useCases.domains.remove(rig.project.id, 'shop.example.com', operator)
  await pausing
  expect(portOf('shop.example.com')).toBeUndefined()
})
