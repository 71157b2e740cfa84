import { afterEach, expect, test } from 'vitest'
import { endApps, startApp } from '../../daemon/gateway/support/app.ts'
import { endGateways, routeTo, startGateway } from '../../daemon/gateway/support/started.ts'
import { visit } from '../../daemon/gateway/support/visit.ts'
import { eventually } from '../apps/support/eventually.ts'

afterEach(async () => {
  endApps()
  await endGateways()
})

test('a gateway that hangs is killed and started again', async () => {
  const started = await startGateway()
  const app = await startApp()
  await started.gateway.replace([routeTo(app.port)])
  const pid = await started.pid()
  process.kill(pid, 'SIGSTOP')
  const isServed = async () =>
    ![0, pid].includes(await started.pid()) && (await visit(started.port)).status === 200
  expect(await eventually(isServed, 40_000, 100)).toBe(true)
}, 60_000)
