import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortRange } from '../../domain/port-range.ts'
import type { PortRules } from './port-rules.ts'

/**
 * Keeps users of projects from answering on the ports of daemons: an app that takes such a port while the daemon does not
 * run would receive the tokens of its clients. The rules stay after a stop. A file for each port names the data folder of
 * its daemon, so that a later start removes the rules of removed folders.
 */
export async function silenceProjects(
  rules: PortRules,
  options: {
    ports: readonly number[]
    /** Ids of the users of projects. */
    uids: PortRange
    folder: string
    dataDir: string
  },
): Promise<void> {
  const { ports, uids, folder, dataDir } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) {
    const owner = readFileSync(join(folder, name), 'utf8')
    const isOld = owner === dataDir ? !ports.includes(Number(name)) : !existsSync(owner)
    if (!isOld) continue
    await rules.unsilence(Number(name), uids)
    rmSync(join(folder, name), { force: true })
  }
  for (const port of ports) {
    writeFileSync(join(folder, String(port)), dataDir)
    await rules.silence(port, uids)
  }
}
