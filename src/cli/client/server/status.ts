import { statfs } from 'node:fs/promises'
import type { InfraStatus } from '../../../../daemon/client/contract.ts'
import { type CommonOptions, connect } from '../connection/session.ts'
import { tokenOf } from '../daemon/find-daemon.ts'
import { keptSettings } from '../daemon/kept-settings.ts'
import { runClient } from '../run/run-command.ts'
import { styleOf } from '../terminal/style.ts'
import { formatBytes } from '../terminal/units.ts'
import { layout } from './layout.ts'
import { requireRoot } from './preconditions.ts'
import { accepts, reachable, readVersion } from './readiness.ts'
import { readRecord } from './record.ts'
import { installedConfig, localApi } from './server-settings.ts'
import { isSystemdRunning, readUnitState } from './service.ts'

/** `strata server status`: exits with 1 unless the daemon and the gateway answer. */
export function serverStatus(options: CommonOptions): Promise<void> {
  return runClient(options, async ({ output }) => {
    requireRoot('strata server status')
    const record = readRecord()
    const config = installedConfig()
    const { host, port } = config.gatewayAddress
    const [unit, version, isServing, disk, infra] = await Promise.all([
      isSystemdRunning() ? readUnitState() : undefined,
      readVersion(),
      accepts(reachable(host), port),
      statfs(layout.dataDir),
      readInfra(),
    ])
    const isUp = version !== undefined && isServing
    const walls = infra?.walls ?? []
    const missingWalls = walls.filter(({ stands }) => !stands)
    const freeBytes = disk.bavail * disk.bsize
    const value = {
      status: isUp ? 'running' : 'stopped',
      label: record.current,
      version: version ?? null,
      previous: record.previous?.label ?? null,
      pending_upgrade: record.pending !== null,
      unit: unit ?? null,
      api: localApi(keptSettings(layout.dataDir)),
      gateway: { address: `${host}:${port}`, answers: isServing },
      base_domain: config.baseDomain,
      data_dir: layout.dataDir,
      disk: { free_bytes: freeBytes, total_bytes: disk.blocks * disk.bsize },
      walls,
      next_steps: infra?.next_steps ?? [],
    }
    output.result(value, () => [
      `status     ${output.paint(isUp ? styleOf('running') : 'red', value.status)}`,
      `version    ${record.current}${record.previous ? `, before it ${record.previous.label}` : ''}`,
      `unit       ${unit ? `${unit.active}, ${unit.enabled}` : 'systemd does not run here'}`,
      `API        ${value.api}${version === undefined ? ' (no answer)' : ''}`,
      `apps       ${value.gateway.address}${isServing ? '' : ' (no answer)'}, at *.${config.baseDomain}`,
      `data       ${layout.dataDir}, ${formatBytes(freeBytes)} free`,
      `walls      ${wallText(walls.length, missingWalls)}`,
      ...value.next_steps.map((step) => `  next: ${step}`),
    ])
    if (record.pending) output.note('an upgrade has not ended: strata server rollback undoes it')
    if (!isUp) process.exitCode = 1
  })
}

function wallText(count: number, missing: readonly { name: string }[]): string {
  if (count === 0) return 'unknown: the daemon does not answer'
  if (missing.length === 0) return 'all stand'
  return `missing: ${missing.map(({ name }) => name).join(', ')}`
}

async function readInfra(): Promise<InfraStatus | undefined> {
  const token = tokenOf(layout.dataDir)
  const url = localApi(keptSettings(layout.dataDir))
  const { client } = connect({ url, ...(token !== undefined && { token }) })
  return client.call('readInfraStatus', {}, { timeoutMs: 15_000 }).then(
    ({ body }) => body,
    () => undefined,
  )
}
