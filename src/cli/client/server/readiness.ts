import { get as getHttp } from 'node:http'
import { get as getHttps } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { installedConfig } from './server-settings.ts'

const healthSchema = z.object({ status: z.literal('ok'), version: z.string() })

/** A new daemon must still answer after this time: a crash loop also answers for moments. */
const stableMs = 2_000

/**
 * Resolves with true when the daemon of `version` answers, its gateway accepts connections, and both still do after two
 * seconds; with false after `timeoutMs`.
 */
export async function becomesReady(
  version: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (await isReady(version)) {
      await sleep(stableMs, undefined, { signal })
      if (await isReady(version)) return true
    }
    await sleep(200, undefined, { signal })
  }
  return false
}

async function isReady(version: string): Promise<boolean> {
  if ((await readVersion()) !== version) return false
  const { gatewayAddress } = installedConfig()
  return accepts(reachable(gatewayAddress.host), gatewayAddress.port)
}

/** Returns the version of the daemon that answers on this machine, or undefined if none does. */
export function readVersion(): Promise<string | undefined> {
  const { address, tls } = installedConfig()
  return new Promise((resolve) => {
    const options = {
      host: reachable(address.host),
      port: address.port,
      path: '/api/v1/health',
      timeout: 3_000,
      // The certificate names the public host. The request stays on this machine and has no secret.
      rejectUnauthorized: false,
    }
    const request = (tls ? getHttps : getHttp)(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, 10_000)
      })
      response.on('end', () => resolve(parseVersion(text)))
      response.on('error', () => resolve(undefined))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}

/** Resolves with true if something listens on a TCP port. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 3_000 })
    const settle = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.on('connect', () => settle(true))
    socket.on('timeout', () => settle(false))
    socket.on('error', () => settle(false))
  })
}

/** Returns an address that reaches a listening address: wildcards become loopback. */
export function reachable(host: string): string {
  if (host === '::') return '::1'
  return host === '0.0.0.0' ? '127.0.0.1' : host
}

function parseVersion(text: string): string | undefined {
  try {
    return healthSchema.parse(JSON.parse(text)).version
  } catch {
    return undefined
  }
}
