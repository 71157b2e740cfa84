import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import { startGitHost } from '../../../test/support/daemon/outgoing/git-hosts.ts'
import { type StandIn, startStandIn } from '../../../test/support/daemon/outgoing/stand-in.ts'
import { statusHosts } from '../../domain/receivers.ts'
import { redacted } from '../../domain/redacted.ts'
import { deliveryAttempts } from '../../domain/retry.ts'
import { DaemonError } from '../../errors.ts'

const token = 'glpat-very-secret'
const day = 86_400_000

let rig: Rig
let host: StandIn
beforeEach(async () => {
  rig = await createRig()
})
afterEach(async () => {
  await rig.close()
  await host.close()
})

/** Starts a stand-in of a git host (not the real one) and sends the project's statuses there. */
async function sendStatuses(kind: (typeof statusHosts)[number] = 'gitea', given = token) {
  host = await startGitHost(kind, token)
  await rig.app.useCases.receivers.setStatuses(
    {
      ...{ projectId: rig.project.id, host: kind, token: redacted(given) },
      ...{ apiUrl: `${host.url}/`, repository: 'acme/shop' },
    },
    operator,
  )
}

const bodies = () => host.received.map(({ body }) => JSON.parse(body))
const states = () => bodies().map(({ state }) => state)
const statuses = async () => rig.app.useCases.receivers.findStatuses(rig.project.id)
const delivered = () => rig.until(async () => (await statuses()).waiting === 0)
const attempts = (count: number) => rig.until(() => host.received.length >= count)
const audits = async () =>
  (await rig.store.audit.list({ kind: 'project_updated', limit: 100 })).map(({ detail }) => detail)

describe('commit statuses', () => {
  test.each(statusHosts)('the stand-in of %s accepts the statuses of a deploy', async (kind) => {
    await sendStatuses(kind)
    // No deploy waits for its statuses: without the gate, the second one may replace the first one.
    rig.failpoints.shut('deploy:build')
    const sha = rig.commit('main')
    const deploy = rig.deployed('main')
    await rig.failpoints.reached('deploy:build')
    await attempts(1)
    await delivered()
    rig.failpoints.open('deploy:build')
    const { hostname } = await deploy
    await attempts(2)
    await delivered()
    expect((await statuses()).receiver.fault).toBeNull()
    expect(host.received.every(({ path }) => path.endsWith(`/${sha}`))).toBe(true)
    const pending = kind === 'gitlab' ? 'running' : 'pending'
    expect(states()).toEqual([pending, 'success'])
    expect(bodies().at(-1)).toMatchObject({
      [kind === 'gitlab' ? 'name' : 'context']: `strata/${rig.project.name}`,
      target_url: `http://${hostname}:9080`,
    })
  })

  test('a failed deploy sends no reason to the host, which may be public', async () => {
    await sendStatuses()
    rig.builder.buildFault = new DaemonError('unprocessable', 'the secret reason')
    rig.commit('main')
    await rig.deploy('main')
    await rig.until(() => states().includes('failure'))
    await delivered()
    expect(JSON.stringify(bodies())).not.toContain('the secret reason')
  })

  test('a project without a token sends nothing', async () => {
    host = await startStandIn()
    rig.commit('main')
    await rig.deployed('main')
    expect(await rig.store.outgoing.listHeads()).toEqual([])
    await expect(statuses()).rejects.toMatchObject({ kind: 'not-found' })
  })

  test('a deploy succeeds while the host does not answer', async () => {
    await sendStatuses()
    host.answers.push('hang', 'hang', 'hang')
    rig.commit('main')
    expect(await rig.deployed('main')).toMatchObject({ state: 'running' })
    await attempts(1)
  })

  test('GitLab refuses to set a state twice, which counts as delivered', async () => {
    await sendStatuses('gitlab')
    const body = { message: 'Cannot transition status via :run from :running' }
    host.answers.push({ status: 400, body }, { status: 400, body })
    rig.commit('main')
    await rig.deployed('main')
    await delivered()
    expect((await statuses()).receiver.fault).toBeNull()
  })

  test('a failed delivery is repeated, and the newest state of a commit replaces an older one', async () => {
    await sendStatuses()
    rig.failpoints.shut('deploy:build')
    host.answers.push({ status: 500 })
    rig.commit('main')
    const deploy = rig.deployed('main')
    await rig.failpoints.reached('deploy:build')
    await rig.until(async () => (await statuses()).receiver.fault !== null)
    expect((await statuses()).receiver.fault).toBe('the answer was HTTP 500')
    rig.failpoints.open('deploy:build')
    await deploy
    await delivered()
    await rig.clock.advance(day)
    expect(states()).toEqual(['pending', 'success'])
  })

  test('a killed daemon loses no status', async () => {
    await sendStatuses()
    host.answers.push('hang')
    rig.commit('main')
    await rig.deployed('main')
    await attempts(1)
    expect((await statuses()).waiting).toBe(1)
    await rig.restart()
    await rig.until(() => states().at(-1) === 'success')
    await delivered()
  })

  test('a message is given up after its last attempt, with an audit record that has no token', async () => {
    await sendStatuses('github', 'another-secret')
    rig.commit('main')
    await rig.deployed('main')
    await rig.until(async () => {
      await rig.clock.advance(3_600_000)
      return (await statuses()).waiting === 0
    })
    expect(states().filter((state) => state === 'success')).toHaveLength(deliveryAttempts)
    const [detail = ''] = await audits()
    expect(detail).toContain(`to ${host.url} was given up`)
    expect(detail).toContain('HTTP 401: the API token is wrong or has expired')
    const logged = JSON.stringify([await audits(), rig.warnings, rig.errors])
    expect(logged).not.toContain('another-secret')
  })

  test('a redirect is not followed, so that the token stays at the host', async () => {
    const other = await startStandIn()
    try {
      await sendStatuses()
      host.answers.push({ status: 307, headers: { location: `${other.url}/statuses` } })
      rig.commit('main')
      await rig.deployed('main')
      await rig.until(async () => host.received.length > 0 && (await statuses()).waiting < 2)
      await rig.clock.advance(day)
      await delivered()
      expect(other.received).toEqual([])
    } finally {
      await other.close()
    }
  })

  test('the token is stored encrypted, follows a rotation of the key, and ends with the project', async () => {
    await sendStatuses()
    const [{ secret } = { secret: '' }] = await rig.store.receivers.list(rig.project.id)
    expect(secret).not.toContain(token)
    expect(rig.vault.open((await statuses()).receiver.secret).reveal()).toBe(token)
    await rig.app.useCases.projects.remove(rig.project.id, { purgeData: false }, operator)
    expect(await rig.store.receivers.list(rig.project.id)).toEqual([])
  })

  test.each([
    ['an address of the network', 'http://10.0.0.1/api', 'must lead to a public address'],
    ['the metadata service', 'https://169.254.169.254/latest', 'must lead to a public address'],
    ['plain HTTP', 'http://git.example.com/api', 'must be an https:// URL'],
    ['a password', 'https://a:b@git.example.com', 'must not contain a password'],
  ])('%s is refused as API', async (_name, apiUrl, message) => {
    host = await startStandIn()
    const input = { projectId: rig.project.id, host: 'gitea', token: redacted(token) } as const
    await expect(
      rig.app.useCases.receivers.setStatuses(
        { ...input, apiUrl, repository: 'acme/shop' },
        operator,
      ),
    ).rejects.toMatchObject({ kind: 'bad-request', message: expect.stringContaining(message) })
  })
})
