import type { ComponentChildren, JSX } from 'preact'
import { type Need, refusalOf } from '../state/rights.ts'
import { Icon, type IconName } from './icon.tsx'

export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onClick?: (() => void) | undefined
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly icon?: IconName
  /** Submits the form around the button. */
  readonly isSubmit?: boolean
  /** Shows that the action runs, and ignores clicks. */
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** The right that the action needs. Without it, the button says why it does nothing. */
  readonly needs?: Need | undefined
}

/** A button with a text. It stays focusable while it is refused or busy, so that the focus is never lost. */
export function Button({
  children,
  onClick,
  tone = 'plain',
  icon,
  isSubmit = false,
  isBusy = false,
  isDisabled = false,
  needs,
}: ButtonProps): JSX.Element {
  const refusal = needs && refusalOf(needs)
  const isInert = isBusy || isDisabled || refusal !== undefined
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={`button button-${tone}`}
      aria-disabled={isInert}
      aria-busy={isBusy}
      title={refusal}
      onClick={(event) => {
        if (isInert) event.preventDefault()
        else onClick?.()
      }}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
      {refusal && <span class="visually-hidden">{`: ${refusal}`}</span>}
    </button>
  )
}

/** A button that shows an icon only. `label` is its name for screen readers and its tooltip. */
export function IconButton({
  icon,
  label,
  onClick,
}: {
  icon: IconName
  label: string
  onClick: () => void
}): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
