import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-state.tsx'
import { Field } from './field.tsx'
import { Name } from './name.tsx'

export interface ConfirmDialogProps {
  readonly title: string
  /** The effects of the action, one sentence each. */
  readonly effects: readonly ComponentChildren[]
  /** The text of the button: a verb, such as `Pause`. */
  readonly verb: string
  readonly tone?: 'primary' | 'danger'
  /** Asks the person to type this name first: for actions after which data is gone for good. */
  readonly typedName?: string | undefined
  /** False while the children ask something else that the person has not answered. */
  readonly isAnswered?: boolean
  /** More fields between the effects and the buttons. */
  readonly children?: ComponentChildren
  /**
   * Does the action. The dialog closes when it succeeds, and shows the error when it fails. It stays open if the action
   * resolves to `ask`: the children then ask one more thing.
   */
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

/** Says what an action will do, and does it after a click. */
export function ConfirmDialog(props: ConfirmDialogProps): JSX.Element {
  const { title, effects, verb, tone = 'primary', typedName, children, onConfirm, onClose } = props
  const { isAnswered = true } = props
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const isReady = isAnswered && (typedName === undefined || typed.trim() === typedName)

  async function confirm(): Promise<void> {
    if (!isReady || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      if ((await onConfirm()) === 'ask') setBusy(false)
      else onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void confirm()}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone={tone} isSubmit isBusy={isBusy} isDisabled={!isReady}>
            {verb}
          </Button>
        </>
      }
    >
      <ul class="effects">
        {effects.map((effect, at) => (
          <li key={at}>{effect}</li>
        ))}
      </ul>
      {children}
      {typedName !== undefined && (
        <div class="typed-name">
          <p>
            Type <Name>{typedName}</Name> to confirm.
          </p>
          <Field label="Name" value={typed} onInput={setTyped} isMono isFocusedFirst />
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
