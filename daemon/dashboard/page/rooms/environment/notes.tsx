import type { ComponentChildren, JSX } from 'preact'
import { isLive } from '../../../../client/states.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { visible } from '../../components/name.tsx'
import { asSentence } from '../../text/error-text.ts'
import { durationWords, shortSha } from '../../text/format.ts'
import type { EnvironmentData } from './read-environment.ts'

/** Says in words what the state means: why a deploy failed, that the app sleeps, that a newer deploy serves the branch. */
export function EnvironmentNotes({ data }: { data: EnvironmentData }): JSX.Element | null {
  const notes = notesOf(data)
  if (notes.length === 0) return null
  return <div class="environment-notes">{notes}</div>
}

function notesOf({ environment, project, newest }: EnvironmentData): JSX.Element[] {
  const { state, reason } = environment
  const notes: JSX.Element[] = []
  if (reason !== null && reason !== '') {
    notes.push(
      <Note key="reason" icon="warning" tone={state === 'build_failed' ? 'bad' : 'warn'}>
        <bdi>{asSentence(visible(reason))}</bdi>
      </Note>,
    )
  }
  if (state === 'paused' || state === 'hibernating') {
    notes.push(
      <Note key="asleep" icon="moon" tone="rest">
        The app sleeps and uses no memory. The next request to its address wakes it.
      </Note>,
    )
  }
  if (state === 'destroyed' || state === 'build_failed') {
    notes.push(
      newest && newest.id !== environment.id && isLive(newest.state) ? (
        <Note key="newer" icon="info" tone="rest">
          {`This deploy does not serve the branch. Commit ${shortSha(newest.branch.commit_sha)} does: `}
          <a href={`/environments/${newest.id}`}>show it</a>.
        </Note>
      ) : (
        <Note key="none" icon="info" tone="rest">
          {state === 'destroyed'
            ? `Nothing serves this branch now. Its data stays in the trash for ${durationWords(project.trash_keep)} after the environment was destroyed.`
            : 'Nothing serves this branch now.'}
        </Note>
      ),
    )
  }
  return notes
}

function Note({
  icon,
  tone,
  children,
}: {
  icon: IconName
  tone: 'bad' | 'warn' | 'rest'
  children: ComponentChildren
}): JSX.Element {
  return (
    <p class={`environment-note environment-note-${tone}`}>
      <Icon name={icon} />
      <span>{children}</span>
    </p>
  )
}
