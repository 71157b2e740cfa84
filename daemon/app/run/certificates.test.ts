import { afterEach, expect, test } from 'vitest'
import { createRig, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { redacted } from '../../domain/redacted.ts'
import { CertificateError } from '../../errors.ts'
import type { CertificateAuthority, FileCertificate } from '../../ports.ts'
import type { Announcement } from '../ground/announce.ts'
import { createFailpoints } from '../ground/failpoints.ts'
import { createCertificates } from './certificates.ts'

let rig: Rig

afterEach(() => rig.close())

const hour = 3_600_000
const day = 24 * hour
const shop = 'shop.example.com'

/** An authority whose next answers the test sets: a life in milliseconds, or an error. */
function fakeAuthority() {
  const asked: string[] = []
  const answers: (number | Error)[] = []
  const authority: CertificateAuthority = {
    async obtain(domain) {
      asked.push(domain)
      const answer = answers.shift() ?? 90 * day
      if (answer instanceof Error) throw answer
      const notBefore = rig.clock.now()
      const chain = `certificate ${asked.length}`
      return {
        chain,
        key: redacted(`key ${asked.length}`),
        notBefore,
        notAfter: notBefore + answer,
      }
    },
  }
  return { asked, answers, authority }
}

async function start(deps: { files?: FileCertificate[]; fault?: () => string | undefined } = {}) {
  rig = await createRig()
  const fake = fakeAuthority()
  const { store, vault, gateway, clock, project } = rig
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const announced: Announcement[] = []
  let files = deps.files ?? []
  let hasChanged = false
  const certificates = createCertificates({
    ...{ store, vault, gateway, clock, logger, authority: fake.authority },
    failpoints: createFailpoints(),
    announce: async (_tx, announcement) => void announced.push(announcement),
    files: {
      async refresh() {
        const changed = hasChanged
        hasChanged = false
        return changed
      },
      list: () => files,
    },
    ...(deps.fault && { proof: { faultOf: async () => deps.fault?.() } }),
  })
  await store.domains.add({ projectId: project.id, domain: shop, branch: null, createdAt: 1 })
  const find = async () => {
    const found = await store.domains.find(shop)
    if (!found) throw new Error('the domain is missing')
    return found
  }
  const setFiles = (next: FileCertificate[]) => {
    files = next
    hasChanged = true
  }
  return { ...fake, certificates, find, setFiles, announced }
}

test('a registered domain gets a certificate, which is kept encrypted and sent to the gateway', async () => {
  const { certificates, find, asked } = await start()
  await certificates.runOnce()
  const { certificate, fault } = await find()
  expect(fault).toBeNull()
  expect(certificate?.chain).toBe('certificate 1')
  expect(certificate?.key).not.toContain('key 1')
  expect(rig.gateway.certificates.get(shop)).toEqual({
    hostname: shop,
    cert: 'certificate 1',
    key: 'key 1',
  })
  await certificates.runOnce()
  expect(asked).toEqual([shop])
  const [entry] = await rig.store.audit.list({ limit: 1 })
  expect(entry?.kind).toBe('certificate_issued')
})

test('a certificate is renewed at two thirds of its life, not before', async () => {
  const { certificates, find, asked } = await start()
  await certificates.runOnce()
  rig.clock.jump(60 * day - 1_000)
  await certificates.runOnce()
  expect(asked).toHaveLength(1)
  rig.clock.jump(1_000)
  await certificates.runOnce()
  expect(asked).toHaveLength(2)
  expect((await find()).certificate?.chain).toBe('certificate 2')
  expect(rig.gateway.certificates.get(shop)?.cert).toBe('certificate 2')
})

test('a failed renewal keeps the certificate, explains itself and is repeated with growing delays', async () => {
  const { certificates, find, asked, answers, announced } = await start()
  await certificates.runOnce()
  rig.clock.jump(60 * day)
  answers.push(new CertificateError('it refused'), new CertificateError('it refused again'))
  await certificates.runOnce()
  expect(await find()).toMatchObject({ fault: 'it refused', failures: 1 })
  expect((await find()).certificate?.chain).toBe('certificate 1')
  rig.clock.jump(15 * 60_000 - 1)
  await certificates.runOnce()
  expect(asked).toHaveLength(2)
  rig.clock.jump(1)
  await certificates.runOnce()
  expect(await find()).toMatchObject({ fault: 'it refused again', failures: 2 })
  rig.clock.jump(hour)
  await certificates.runOnce()
  expect(await find()).toMatchObject({ fault: null, failures: 0 })
  const kinds = (await rig.store.audit.list({ limit: 10 })).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'certificate_failed')).toHaveLength(1)
  expect(announced).toEqual([
    {
      ...{ kind: 'certificate.failed', projectId: rig.project.id, domain: shop },
      message: `${shop} has no new certificate: it refused`,
    },
  ])
})

test('a rate limit delays the next request by the demanded time', async () => {
  const { certificates, asked, answers } = await start()
  answers.push(new CertificateError('too many', 3 * hour))
  await certificates.runOnce()
  rig.clock.jump(3 * hour - 1)
  await certificates.runOnce()
  expect(asked).toHaveLength(1)
  rig.clock.jump(1)
  await certificates.runOnce()
  expect(asked).toHaveLength(2)
})

test('the authority is not asked for a domain that leads elsewhere, and soon again', async () => {
  let fault: string | undefined = 'DNS has no address for it'
  const { certificates, find, asked } = await start({ fault: () => fault })
  for (let failure = 0; failure < 5; failure += 1) {
    await certificates.runOnce()
    rig.clock.jump(15 * 60_000)
  }
  expect(asked).toEqual([])
  expect((await find()).fault).toBe(
    `${shop} does not lead to this server: DNS has no address for it`,
  )
  fault = undefined
  await certificates.runOnce()
  expect(asked).toEqual([shop])
})

test('a new domain does not wait for domains that time out', async () => {
  let isBroken = true
  const fault = () => {
    if (!isBroken) return undefined
    rig.clock.jump(30_000)
    return 'its addresses do not answer'
  }
  const { certificates, asked } = await start({ fault })
  const { store, project } = rig
  const add = (domain: string) =>
    store.domains.add({ projectId: project.id, domain, branch: null, createdAt: 1 })
  for (const name of ['a', 'b', 'c']) await add(`${name}.example.com`)
  for (let round = 0; round < 2; round += 1) await certificates.runOnce()
  isBroken = false
  rig.clock.jump(15 * 60_000)
  await add('new.example.com')
  await certificates.runOnce()
  expect(asked[0]).toBe('new.example.com')
})

test('an unexpected error is not shown to users', async () => {
  const { certificates, find, answers } = await start()
  answers.push(new Error('ENOENT /secret/path'))
  await certificates.runOnce()
  expect((await find()).fault).toBe(
    'the daemon could not get a certificate: its log has the reason',
  )
})

test('a certificate of a file serves a domain instead of the authority, until its files are gone', async () => {
  const file = {
    hostnames: ['*.example.com'],
    cert: 'file',
    key: redacted('file key'),
    notAfter: 5,
  }
  const { certificates, find, asked, setFiles } = await start({ files: [file] })
  await certificates.begin()
  await certificates.runOnce()
  expect(asked).toEqual([])
  expect(certificates.expiryOf(await find())).toBe(5)
  expect([...rig.gateway.certificates.keys()]).toEqual(['*.example.com'])
  setFiles([{ ...file, cert: 'renewed' }])
  await certificates.runOnce()
  expect(rig.gateway.certificates.get('*.example.com')?.cert).toBe('renewed')
  setFiles([])
  await certificates.runOnce()
  expect(asked).toEqual([shop])
  expect([...rig.gateway.certificates.keys()]).toEqual([shop])
})

test('a domain that was removed during its order gets no certificate', async () => {
  const { certificates, find, authority } = await start()
  const { id } = await find()
  const { obtain } = authority
  Object.assign(authority, {
    async obtain(...args: Parameters<typeof obtain>) {
      await rig.store.domains.remove(id)
      return obtain(...args)
    },
  })
  await certificates.runOnce()
  expect(rig.gateway.certificates.size).toBe(0)
  expect(await rig.store.audit.list({ limit: 10, kind: 'certificate_issued' })).toEqual([])
})

test('a new daemon sends the stored certificates, also after a rotation of the key', async () => {
  const { certificates, find } = await start()
  await certificates.runOnce()
  rig.gateway.certificates.clear()
  const before = (await find()).certificate?.key
  const next = await rig.vault.prepareNext()
  await rig.store.sealed.replace(next.reseal)
  next.use()
  expect((await find()).certificate?.key).not.toBe(before)
  await certificates.begin()
  expect(rig.gateway.certificates.get(shop)?.key).toBe('key 1')
})
