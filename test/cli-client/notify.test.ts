import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { startGitHost } from '../support/daemon/outgoing/git-hosts.ts'
import { type StandIn, startStandIn } from '../support/daemon/outgoing/stand-in.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project } from '../support/stratad/project.ts'

describe('the client', () => {
  let daemon: Daemon
  let user: TestUser
  let shop: Project
  let receiver: StandIn
  let host: StandIn

  beforeAll(async () => {
    receiver = await startStandIn()
    host = await startGitHost('gitea', 'secret-token')
    daemon = await startDaemon({ env: { SERVICE_PRIVATE_HOSTS: '127.0.0.1' } })
    user = createUser(join(daemon.dataDir, 'home'))
    shop = await createProject(daemon, 'shop')
    const login = ['login', `http://127.0.0.1:${daemon.port}`]
    const input = `${masterToken}\n`
    expect(await user.strata(shop.repository.folder, login, { input })).toMatchObject({ code: 0 })
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
    await Promise.all([receiver.close(), host.close()])
  })

  const strata = (args: string[], input = '') =>
    user.strata(shop.repository.folder, args, { input })

  test('adds, tests, lists and removes notifications of a project and of the server', async () => {
    const refused = await strata(['notify', 'add', 'https://10.0.0.1/hook'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('must lead to a public address')
    for (const server of [[], ['--server']]) {
      const added = await strata(['notify', 'add', receiver.url, '--json', ...server])
      expect(added, added.stderr).toMatchObject({ code: 0 })
      const { id, signing_key } = JSON.parse(added.stdout)
      expect(signing_key).toMatch(/^whsec_/)
      const tested = await strata(['notify', 'test', String(id), ...server])
      expect(tested, tested.stderr).toMatchObject({ code: 0 })
      expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ type: 'test' })
      receiver.answers.push({ status: 500 })
      const failed = await strata(['notify', 'test', String(id), ...server])
      expect(failed.code).toBe(1)
      expect(failed.stderr).toContain('did not accept the test: the answer was HTTP 500')
      const listed = await strata(['notify', 'list', ...server])
      expect(listed.stdout).toContain(receiver.url)
      expect(listed.stdout).not.toContain(signing_key)
      expect(await strata(['notify', 'remove', String(id), ...server])).toMatchObject({ code: 0 })
      expect((await strata(['notify', 'list', ...server])).stdout).toContain('no notifications')
    }
  })

  test('sends the statuses of a deploy to a stand-in of Gitea', async () => {
    const place = ['--api-url', host.url, '--repository', 'acme/shop']
    const set = await strata(['statuses', 'on', 'gitea', ...place], 'secret-token\n')
    expect(set, set.stderr).toMatchObject({ code: 0 })
    expect((await deploy(daemon, shop)).status).toBe(201)
    await expect
      .poll(() => host.received.map(({ body }) => JSON.parse(body).state), { timeout: 30_000 })
      .toContain('success')
    await expect
      .poll(async () => (await strata(['statuses', 'show'])).stdout, { timeout: 30_000 })
      .toMatch(/waiting +0/)
    const shown = await strata(['statuses', 'show', '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ host: 'gitea', fault: null })
    expect(shown.stdout).not.toContain('secret-token')
    expect(await strata(['statuses', 'off'])).toMatchObject({ code: 0 })
    expect(await strata(['statuses', 'show'])).toMatchObject({ code: 2 })
  })
})
