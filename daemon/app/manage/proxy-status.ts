import { durationText } from '../../domain/duration.ts'
import type { EngineCheck } from '../../ports.ts'
import type { ProxyPorts } from '../ground/deps.ts'
import type { Actor } from '../ground/use-cases.ts'

/** Returns the check of the proxy for the status of the installation. A proxy is optional. */
export async function checkProxy(
  { polls, program }: Omit<ProxyPorts, 'issueToken'>,
  gatewayPort: number,
): Promise<EngineCheck & { readonly name: string }> {
  const name = 'proxy'
  const { proxies, silentMs } = polls.read()
  const container = await program?.describe().catch((error: unknown) => faultOf(error))
  if (container && !container.ok) return { name, ...container }
  const started = container ? `${container.detail}; ` : ''
  if (proxies > 0) {
    const count = proxies === 1 ? '1 proxy polls' : `${proxies} proxies poll`
    return { name, ok: true, detail: `${started}${count} /proxy/config` }
  }
  if (silentMs !== undefined || container) {
    const since = silentMs === undefined ? 'the start of the daemon' : durationText(silentMs)
    return {
      name,
      ok: false,
      detail: `${started}no proxy has polled /proxy/config ${silentMs === undefined ? 'since' : 'for'} ${since}`,
      next: 'check the proxy in front of the gateway: it learns no new host names (its token may be revoked)',
    }
  }
  const detail = `no proxy polls /proxy/config: visitors use the gateway on port ${gatewayPort}`
  return { name, ok: true, detail }
}

/** Starts a proxy if possible. Returns the next step for the operator; undefined if there is none. */
export async function startProxy(
  { program, issueToken }: Omit<ProxyPorts, 'polls'>,
  actor: Actor,
): Promise<string | undefined> {
  if (!program) return undefined
  try {
    const missing = await program.ensure(() => issueToken(actor))
    if (missing === undefined) return undefined
    return `for a proxy in front of the gateway, ${missing}, then run strata infra bootstrap again; or start Traefik yourself: see docs/fleet.md`
  } catch (error) {
    return `Traefik did not start: ${error instanceof Error ? error.message : String(error)}`
  }
}

function faultOf(error: unknown): EngineCheck {
  const detail = `the state of Traefik is unknown: ${error instanceof Error ? error.message : error}`
  return { ok: false, detail, next: 'start the engine of DOCKER_HOST' }
}
