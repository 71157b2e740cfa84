import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRig, operator, type Rig } from '../../../test/support/daemon/app/rig.ts'
import type { ProxyAnswer } from '../../ports.ts'

let rig: Rig
let answers: ((answer: ProxyAnswer) => void)[]
beforeEach(async () => {
  answers = []
  rig = await createRig({
    proxy: {
      polls: {
        acknowledged: () => new Promise((resolve) => void answers.push(resolve)),
        read: () => ({ proxies: 1, silentMs: 0 }),
      },
      issueToken: async () => null,
    },
  })
})
afterEach(async () => {
  await rig.close()
})

test('the deploy of a new host name ends when the proxy knows it, and a redeploy does not wait', async () => {
  rig.commit('main')
  let hasEnded = false
  const first = rig.deployed('main').finally(() => {
    hasEnded = true
  })
  await rig.until(() => answers.length === 1)
  const [row] = await rig.store.environments.listLive()
  expect(row?.state).toBe('running')
  expect(hasEnded).toBe(false)
  answers[0]?.({ kind: 'acknowledged' })
  await first
  expect(rig.warnings).toEqual([])
  rig.commit('main')
  await rig.deployed('main')
  expect(answers).toHaveLength(1)
})

test.each([
  [{ kind: 'late', waitMs: 10_000 }, /no proxy has read the route of main--\S+ within 10s/],
  [{ kind: 'silent', silentMs: 300_000 }, /has not polled \/proxy\/config for 5m/],
] as const)('the answer %j is a warning in the log of the deploy', async (answer, warning) => {
  rig.commit('main')
  const deploy = rig.deployed('main')
  await rig.until(() => answers.length === 1)
  answers[0]?.(answer)
  const { id } = await deploy
  const lines = await rig.logs.tail(id, 10)
  expect(lines.map(({ line }) => line).join('\n')).toMatch(warning)
  expect(rig.warnings.join()).toMatch(warning)
})

test('the status names the proxies that poll', async () => {
  const { checks } = await rig.app.useCases.infra.bootstrap(operator)
  expect(checks.find(({ name }) => name === 'proxy')).toEqual({
    name: 'proxy',
    ok: true,
    detail: '1 proxy polls /proxy/config',
  })
})
