import { afterEach, expect, test } from 'vitest'
import { eventually } from '../support/apps/eventually.ts'
import { endApps, startApp } from '../support/daemon/gateway/app.ts'
import { endGateways, routeTo, startGateway } from '../support/daemon/gateway/started.ts'
import { visit } from '../support/daemon/gateway/visit.ts'

afterEach(async () => {
  endApps()
  await endGateways()
})

test('the daemon kills and restarts a gateway that hangs', async () => {
  const started = await startGateway()
  const app = await startApp()
  await started.gateway.replace([routeTo(app.port)])
  const pid = await started.pid()
  process.kill(pid, 'SIGSTOP')
  const isServed = async () =>
    ![0, pid].includes(await started.pid()) && (await visit(started.port)).status === 200
  expect(await eventually(isServed, 40_000, 100)).toBe(true)
}, 60_000)
