import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectLink } from '../gateway/link.ts'
import { socketPathOf } from '../gateway/socket-path.ts'

const connectTimeoutMs = 2_000
const exitTimeoutMs = 5_000

/**
 * Stops the gateway of a data folder on this machine, and waits at most 5 s for the end of its process. Returns false
 * if no gateway runs. Uses the control socket, because the API has no such endpoint and the daemon may be stopped.
 */
export async function stopLocalGateway(dataDir: string): Promise<boolean> {
  const link = await connectLink(socketPathOf(join(dataDir, 'gateway')), connectTimeoutMs)
  if (!link) return false
  link.send({ type: 'retire' })
  const deadline = Date.now() + exitTimeoutMs
  while (isAlive(link.pid) && Date.now() < deadline) await sleep(50)
  link.close()
  return true
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
