import { createAcmeAuthority } from '../acme/authority.ts'
import type { DomainPorts } from '../app/ground/deps.ts'
import type { DomainConfig } from '../domain-settings.ts'
import type { Gateway, Logger, Store, Vault } from '../ports.ts'
import { createCertificateFiles } from './certificate-files.ts'
import { createDomainProof, interfaceAddresses } from './domain-proof.ts'

/** Creates the adapters of own domains that the settings ask for. */
export function createDomainPorts(
  config: DomainConfig,
  deps: { gateway: Gateway; store: Pick<Store, 'acmeAccounts'>; vault: Vault; logger: Logger },
): DomainPorts {
  const { acme, gatewayTls, isUnverified } = config
  const { gateway, store, vault, logger } = deps
  const folder = gatewayTls?.filesFolder ?? null
  const known = config.publicAddresses
  return {
    publicAddresses: known.length > 0 ? known : interfaceAddresses(),
    ...(!isUnverified && { proof: createDomainProof({ ...config, gateway }) }),
    ...(acme && {
      authority: createAcmeAuthority({ ...acme, gateway, accounts: store.acmeAccounts, vault }),
    }),
    ...(folder !== null && { files: createCertificateFiles({ folder, logger }) }),
  }
}
