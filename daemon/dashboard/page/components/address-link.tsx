import type { JSX } from 'preact'
import type { Environment } from '../../../client/contract.ts'
import { addressOf } from '../text/address.ts'
import { Icon } from './icon.tsx'

/** The address of an environment as a link that opens a new tab; its host name alone if it is not live. */
export function AddressLink({
  environment,
}: {
  environment: Pick<Environment, 'url' | 'public_port'>
}): JSX.Element {
  const href = addressOf(environment)
  if (href === undefined) return <span class="muted">{environment.url}</span>
  return (
    <a class="address" href={href} target="_blank" rel="noopener noreferrer">
      <span>{environment.url}</span>
      <Icon name="external" size={12} />
      <span class="visually-hidden">(opens a new tab)</span>
    </a>
  )
}
