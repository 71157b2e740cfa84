import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../support/acme/dns-server.ts'
import { createUser, type TestUser } from '../support/client/test-user.ts'
import { call, visit } from '../support/stratad/call.ts'
import { cleanUp, type Daemon, masterToken, startDaemon } from '../support/stratad/daemon.ts'
import { createProject, deploy, type Project } from '../support/stratad/project.ts'

const ip = '203.0.113.7'
const domain = 'xn--bcher-kva.example'

describe('the client', () => {
  let daemon: Daemon
  let dns: DnsServer
  let user: TestUser
  let shop: Project

  beforeAll(async () => {
    dns = await startDnsServer()
    daemon = await startDaemon({
      env: { SERVICE_PUBLIC_ADDRESSES: ip, SERVICE_DOMAINS_RESOLVER: dns.address },
    })
    user = createUser(join(daemon.dataDir, 'home'))
    shop = await createProject(daemon, 'shop')
    const login = ['login', `http://127.0.0.1:${daemon.port}`]
    const input = `${masterToken}\n`
    expect(await user.strata(shop.repository.folder, login, { input })).toMatchObject({ code: 0 })
    expect((await deploy(daemon, shop)).status).toBe(201)
  })
  afterAll(async () => {
    await daemon.stop()
    cleanUp(daemon.dataDir)
    dns.close()
  })

  const strata = (...args: string[]) => user.strata(shop.repository.folder, args)

  test('adds a domain once it leads to the server, lists it and removes it', async () => {
    const refused = await strata('domain', 'add', 'Bücher.example')
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(`${domain} does not lead to this server yet`)
    expect(refused.stderr).toContain(`A ${domain} ${ip}`)
    expect((await visit(daemon, domain)).status).toBe(404)
    dns.setAddress(ip)
    const added = await strata('domain', 'add', 'Bücher.example')
    expect(added, added.stderr).toMatchObject({ code: 0 })
    expect(added.stdout).toContain(`${domain} leads to the default branch of shop`)
    expect((await visit(daemon, domain)).status).toBe(200)
    const { body } = await call(daemon, 'GET', '/proxy/config')
    const rules = Object.values<{ rule: string }>(body.http.routers).map(({ rule }) => rule)
    expect(rules).toContain(`Host(\`${domain}\`)`)
    expect((await strata('domain', 'list')).stdout).toMatch(
      /xn--bcher-kva\.example +\(default\) +http/,
    )
    expect((await strata('domain', 'remove', domain)).code).not.toBe(0)
    expect(await strata('domain', 'remove', domain, '--yes')).toMatchObject({ code: 0 })
    expect((await visit(daemon, domain)).status).toBe(404)
    expect((await strata('domain', 'list')).stdout).toContain('shop has no domains')
  })
})
