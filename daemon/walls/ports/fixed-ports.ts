import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortRules } from './port-rules.ts'

/**
 * Rules for fixed ports (`deploy.port`) outside the range of apps, each for the life of its app. A file for each port
 * names the data folder of its daemon, so that the next daemon removes the rules of apps that ended without it.
 */
export interface FixedPorts {
  /** Closes a port before its app starts. No-op for a port of the range, and without rules. */
  close(port: number): Promise<void>
  /** Removes the rules of a port after its app has ended. */
  open(port: number): Promise<void>
  /** Closes the given ports and removes all other rules of this daemon and of removed data folders. */
  keep(ports: readonly number[]): Promise<void>
}

export function createFixedPorts(options: {
  folder: string
  dataDir: string
  isCovered: (port: number) => boolean
  rules: () => PortRules | undefined
  exclusive: <T>(work: () => Promise<T>) => Promise<T>
  warn: (message: string) => void
}): FixedPorts {
  const { folder, dataDir, isCovered, warn } = options
  const fileOf = (port: number) => join(folder, String(port))

  function change(port: number, work: (rules: PortRules) => Promise<void>): Promise<void> {
    const rules = options.rules()
    if (!rules || isCovered(port)) return Promise.resolve()
    return options
      .exclusive(() => work(rules))
      .catch((error: Error) => warn(`the rules of port ${port} can't be changed: ${error.message}`))
  }

  const close = (port: number) =>
    change(port, async (rules) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(fileOf(port), dataDir)
      await rules.close({ from: port, to: port })
    })

  const open = (port: number) =>
    change(port, async (rules) => {
      if (ownerOf(port) !== undefined && ownerOf(port) !== dataDir) return
      await rules.open({ from: port, to: port })
      rmSync(fileOf(port), { force: true })
    })

  function ownerOf(port: number): string | undefined {
    return existsSync(fileOf(port)) ? readFileSync(fileOf(port), 'utf8') : undefined
  }

  return {
    close,
    open,
    async keep(ports) {
      // A daemon without root has no rules, and may not read the folder of a daemon of root.
      if (!options.rules()) return
      for (const port of ports) await close(port)
      const recorded = existsSync(folder) ? readdirSync(folder).map(Number) : []
      for (const port of recorded.filter((each) => !ports.includes(each))) {
        const owner = ownerOf(port)
        if (owner === dataDir) await open(port)
        else if (owner !== undefined && !existsSync(owner)) {
          await change(port, async (rules) => {
            await rules.open({ from: port, to: port })
            rmSync(fileOf(port), { force: true })
          })
        }
      }
    },
  }
}
