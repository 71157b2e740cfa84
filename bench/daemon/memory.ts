import { join } from 'node:path'
import { startBare } from './bare-start.ts'
import type { Report } from './figure.ts'
import { peerProgram } from './peers.ts'
import { residentMb, untilQuiet } from './processes.ts'
import { seed } from './seed.ts'
import { startStratad } from './stratad.ts'

const sleeping = { projects: 40, environments: 1_000, auditRows: 0 }
const idleTargetMb = 120

/** Measures resident memory at rest: of an empty daemon, and of a daemon with 1,000 sleeping environments. */
export async function measureMemory(folder: string): Promise<Report> {
  const bare = await startBare(peerProgram('bare.js', { BODY: 'ok' }), {
    path: '/',
    isRight: (text) => text === 'ok',
  })
  await untilQuiet(bare.pid)
  const bareMb = residentMb(bare.pid)
  await bare.stop()
  const idle = await measure(join(folder, 'idle'))
  const seededDir = join(folder, 'sleeping')
  await seed(seededDir, sleeping)
  const full = await measure(seededDir)
  const figure = (what: string, value: number) => ({
    what,
    value,
    unit: 'MB' as const,
    ratio: { times: value / bareMb, to: 'a bare node:http' },
  })
  return {
    figures: [
      { ...figure('memory, daemon, idle', idle.daemonMb), target: { atMost: idleTargetMb } },
      figure('memory, gateway, idle', idle.gatewayMb),
      figure('memory, daemon, 1,000 asleep', full.daemonMb),
      figure('memory, gateway, 1,000 asleep', full.gatewayMb),
    ],
  }
}

async function measure(dataDir: string): Promise<{ daemonMb: number; gatewayMb: number }> {
  const { pid, gatewayPid, stop } = await startStratad(dataDir)
  try {
    await untilQuiet(pid)
    await untilQuiet(gatewayPid)
    return { daemonMb: residentMb(pid), gatewayMb: residentMb(gatewayPid) }
  } finally {
    await stop()
  }
}
