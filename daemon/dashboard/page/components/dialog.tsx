import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons below the content. */
  readonly actions?: ComponentChildren
  /** Makes the content a form, and calls this function when it is submitted. */
  readonly onSubmit?: () => void
  readonly size?: 'normal' | 'wide'
}

/**
 * A modal dialog. Render it while it is open. The browser moves the focus into it, keeps it there, and returns it to the
 * element that had it. Escape closes the dialog.
 */
export function Dialog(props: DialogProps): JSX.Element {
  const { title, onClose, children, actions, onSubmit, size = 'normal' } = props
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const content = (
    <>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="cross" label="Close" onClick={onClose} />
      </div>
      <div class="dialog-body">{children}</div>
      {actions && <div class="dialog-actions">{actions}</div>}
    </>
  )
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${size}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      {onSubmit ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  )
}
