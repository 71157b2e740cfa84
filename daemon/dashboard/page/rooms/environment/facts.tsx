import type { JSX } from 'preact'
import type { Environment } from '../../../../client/contract.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { addressOf } from '../../text/address.ts'
import { shortSha } from '../../text/format.ts'

/** Address, commit and times of an environment, beside its state. */
export function EnvironmentFacts({ environment }: { environment: Environment }): JSX.Element {
  const { branch, state, url, created_at, last_accessed_at, expires_at } = environment
  const href = addressOf(environment)
  return (
    <>
      <Fact icon="environment" name="Address">
        {href === undefined ? (
          <bdi>{url}</bdi>
        ) : (
          <a href={href} target="_blank" rel="noreferrer">
            <bdi>{url}</bdi>
          </a>
        )}
      </Fact>
      <Fact icon="commit" name="Commit">
        <code title={branch.commit_sha}>{shortSha(branch.commit_sha)}</code>
      </Fact>
      <Fact icon="deploys" name="Deployed">
        Deployed <RelativeTime at={created_at} />
      </Fact>
      {state !== 'building' && state !== 'build_failed' && (
        <Fact icon="clock" name="Last access">
          Last access <RelativeTime at={last_accessed_at} />
        </Fact>
      )}
      {expires_at !== null && (
        <Fact icon="trash" name="Expires">
          Expires <RelativeTime at={expires_at} />
        </Fact>
      )}
    </>
  )
}

function Fact({
  icon,
  name,
  children,
}: {
  icon: IconName
  /** The meaning of the icon, for screen readers and on hover. */
  name: string
  children: JSX.Element | (JSX.Element | string)[]
}): JSX.Element {
  return (
    <span class="environment-fact" title={name}>
      <Icon name={icon} />
      <span>{children}</span>
    </span>
  )
}
