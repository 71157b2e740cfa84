import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { HostProbe } from './ports.ts'

const timeoutMs = 2000

export const hostProbe: HostProbe = {
  async gitVersion() {
    try {
      // The daemon's environment contains secrets.
      const options = { timeout: timeoutMs, env: { PATH: process.env.PATH ?? '/usr/bin:/bin' } }
      const { stdout } = await promisify(execFile)('git', ['--version'], options)
      return stdout.trim()
    } catch {
      return undefined
    }
  },

  isServing: (port) =>
    new Promise<boolean>((resolve) => {
      const probe = request({ host: '127.0.0.1', port, headers: { host: 'probe.invalid' } })
      probe.setTimeout(timeoutMs, () => probe.destroy())
      probe.once('response', (response) => {
        response.resume()
        resolve(true)
      })
      probe.once('error', () => resolve(false))
      probe.once('close', () => resolve(false))
      probe.end()
    }),

  async isWritable(folder) {
    try {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      return true
    } catch {
      return false
    }
  },

  async diskSpace(folder) {
    const stats = await statfs(folder).catch(() => undefined)
    // Some network file systems report no size.
    if (!stats || stats.blocks === 0) return undefined
    const { bavail, blocks, bsize } = stats
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  },
}
