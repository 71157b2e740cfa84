import type { JSX } from 'preact'
import { useEnvironmentActions } from '../../actions/environment-actions.tsx'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { roleNeed } from '../../state/rights.ts'
import { addressOf } from '../../text/address.ts'
import type { EnvironmentData } from './read-environment.ts'

/** The actions that the state of the environment allows. The most likely one is a button, the others are in a menu. */
export function EnvironmentButtons({ data }: { data: EnvironmentData }): JSX.Element {
  const { environment, project } = data
  const { state } = environment
  const [actions, dialog] = useEnvironmentActions(() => project)
  const needs = roleNeed('developer', project.id)
  const href = addressOf(environment)
  const isAsleep = state === 'paused' || state === 'hibernating'
  return (
    <>
      {href !== undefined && (
        <a class="button button-plain" href={href} target="_blank" rel="noreferrer">
          <Icon name="external" />
          <span>Open</span>
        </a>
      )}
      {state === 'running' && (
        <Button icon="pause" needs={needs} onClick={() => actions.start('pause', environment)}>
          Pause
        </Button>
      )}
      {isAsleep && (
        <Button
          icon="play"
          tone="primary"
          needs={needs}
          onClick={() => actions.start('wake', environment)}
        >
          Wake
        </Button>
      )}
      <Menu label="More actions" items={actions.itemsOf(environment)} />
      {dialog}
    </>
  )
}
