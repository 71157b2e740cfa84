import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLocks } from '../../async/locks.ts'
import { isInRange, type PortRange, rangeText } from '../../domain/port-range.ts'
import { lockOfHost } from '../../instance-lock.ts'
import type { Logger, Wall } from '../../ports.ts'
import { silenceProjects } from './daemon-ports.ts'
import { createFixedPorts, type FixedPorts } from './fixed-ports.ts'
import { type Measurement, measure, measureOwn } from './measure.ts'
import { createNftables } from './nftables.ts'
import { createPolicyRouting } from './policy-routing.ts'
import { type PortRules, WallFault } from './port-rules.ts'
import { runProgram } from './run-program.ts'

/** Keeps apps' ports to root, which runs the daemon and the gateway: other users and other machines can't connect. */
export interface PortWall extends Pick<FixedPorts, 'close' | 'open' | 'keep'> {
  /** Applies the rules and tries them out. Never throws: `status` tells the result. */
  start(): Promise<void>
  status(): Wall
  /** Ends the regular checks. The rules stay, because apps and gateway outlive the daemon. */
  stop(): void
}

export interface PortWallOptions {
  readonly range: PortRange
  readonly dataDir: string
  /** Ports of the daemon and the gateway: users of projects can't answer on them. */
  readonly daemonPorts?: readonly number[]
  /** Ids of the users of projects. */
  readonly projectUids?: PortRange
  readonly logger: Pick<Logger, 'info' | 'warn'>
  /** Folder of the files that daemons of one host share. */
  readonly hostFolder?: string
  /** Time between checks that the rules are complete. */
  readonly checkMs?: number
}

const lockMs = 20_000

/**
 * Creates the wall around apps' ports: one static set of rules for each range, shared by all daemons of the host. See
 * docs/adr/0040-ports-of-apps.md.
 */
export function createPortWall({
  range,
  dataDir,
  daemonPorts = [],
  projectUids = { from: 70_000, to: 99_999 },
  logger,
  hostFolder = '/run/strata',
  checkMs = 60_000,
}: PortWallOptions): PortWall {
  const locks = createLocks()
  let rules: PortRules | undefined
  let timer: NodeJS.Timeout | undefined
  let starting: Promise<void> | undefined
  let current: Wall = down('the daemon has not started yet')

  /** Runs work that changes rules, one at a time in this process and on this host. */
  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    return locks.run('rules', async () => {
      const release = await lockOfHost(join(hostFolder, 'ports.lock'), lockMs)
      try {
        return await work()
      } finally {
        release?.()
      }
    })
  }

  const fixed = createFixedPorts({
    folder: join(hostFolder, 'ports'),
    dataDir,
    isCovered: (port) => isInRange(port, range),
    rules: () => rules,
    exclusive,
    warn: (message) => logger.warn({}, message),
  })

  async function raise(): Promise<Wall> {
    if (process.platform !== 'linux') return down('apps share all ports: this needs Linux')
    if (process.geteuid?.() !== 0) {
      const measured = await measureOwn(range)
      if (measured === false) {
        return down(
          `a daemon of root on this host has closed ports ${rangeText(range)} to other users: apps of this daemon can't be reached`,
          'set SERVICE_APP_PORTS to a range that no other daemon has',
        )
      }
      return down(
        'any process of this host can connect to the port of an app: only root can close ports',
        'run stratad as root, or host apps of one owner only',
      )
    }
    mkdirSync(hostFolder, { recursive: true, mode: 0o700 })
    const found = await findRules()
    if (!found) return down('neither nft nor ip is installed', 'install nftables or iproute2')
    await exclusive(async () => {
      await found.close(range)
      const folder = join(hostFolder, 'daemon-ports')
      await silenceProjects(found, { ports: daemonPorts, uids: projectUids, folder, dataDir })
    })
    rules = found
    const measured = await measure(range)
    const status = judge(measured, range, found.name)
    if (measured && !measured.asRoot.includes('127.0.0.1')) {
      await exclusive(() => found.open(range))
      rules = undefined
    }
    return status
  }

  async function check(): Promise<void> {
    if (!rules || (await rules.isClosed(range).catch(() => false))) return
    logger.warn({ ports: rangeText(range) }, 'the rules of apps’ ports were removed: adding them')
    current = await raise().catch(faultStatus)
    if (!current.stands) logger.warn({}, `the wall around apps' ports is down: ${current.detail}`)
  }

  return {
    start() {
      starting ??= raise()
        .catch(faultStatus)
        .then((status) => {
          current = status
        })
      timer = setInterval(() => void check(), checkMs).unref()
      return starting
    },
    status: () => current,
    stop: () => clearInterval(timer),
    close: fixed.close,
    open: fixed.open,
    async keep(ports) {
      await starting
      await fixed.keep(ports)
    },
  }
}

async function findRules(): Promise<PortRules | undefined> {
  if ((await runProgram('nft', ['--version'])).code === 0) return createNftables()
  if ((await runProgram('ip', ['-V'])).code === 0) return createPolicyRouting()
  return undefined
}

function judge(measured: Measurement | undefined, range: PortRange, name: string): Wall {
  const ports = rangeText(range)
  if (!measured) return down(`the rules for ports ${ports} are set, but could not be tried out`)
  if (!measured.asRoot.includes('127.0.0.1')) {
    return down(`with rules of ${name}, the daemon itself can't reach ports ${ports}`)
  }
  if (measured.asOther.length > 0) {
    const where = measured.asOther.join(', ')
    return down(`another user reaches ports ${ports} on ${where} in spite of the rules of ${name}`)
  }
  const detail = `only the daemon and its gateway reach ports ${ports} of apps (${name})`
  return { name: 'ports', stands: true, detail }
}

function faultStatus(error: unknown): Wall {
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof WallFault && /not permitted/i.test(reason)) {
    return down(`this host does not let the daemon close ports (${reason})`, capabilityAdvice)
  }
  return down(`ports of apps are open to every process of this host: ${reason}`)
}

const capabilityAdvice = 'give the daemon the capability CAP_NET_ADMIN'

function down(detail: string, next = 'host apps of one owner only'): Wall {
  return { name: 'ports', stands: false, detail, next }
}
