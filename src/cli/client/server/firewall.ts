import type { SettingValues } from '../../../../daemon/client/settings.ts'

/**
 * Returns the lines that open the public ports in ufw and in nftables. strata runs none of them: a wrong rule can lock
 * the operator out.
 */
export function firewallAdvice(settings: SettingValues): string[] {
  const names = ['SERVICE_GATEWAY_ADDR', 'SERVICE_GATEWAY_TLS_ADDR', 'SERVICE_ADDR'] as const
  const ports = names.flatMap((name) => publicPort(settings[name]) ?? [])
  const unique = [...new Set(ports)]
  if (unique.length === 0) return []
  return [
    'firewall: open these ports, for example with one of',
    ...unique.map((port) => `  ufw allow ${port}/tcp`),
    `  nft add rule inet filter input tcp dport '{ 22, ${unique.join(', ')} }' accept`,
  ]
}

/** Returns the port of an address that other machines can reach. */
function publicPort(address: string | undefined): number | undefined {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(address ?? '') ?? []
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return port === '' || isLocal ? undefined : Number(port)
}
