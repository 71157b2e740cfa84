import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { closeToast, type Toast, toasts } from '../state/toasts.ts'
import { visible } from '../text/visible.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

const shownMs = 6_000
const shownWithActionMs = 12_000

/** Shows the messages at the edge of the page, and reads them to screen readers. */
export function Toasts(): JSX.Element {
  return (
    <section class="toasts" aria-label="Messages" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastLine({ toast }: { toast: Toast }): JSX.Element {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || toast.tone === 'bad') return
    const ms = toast.action ? shownWithActionMs : shownMs
    const timer = setTimeout(() => closeToast(toast.id), ms)
    return () => clearTimeout(timer)
  }, [isHeld])
  const icon = ({ good: 'check', bad: 'warning', plain: 'info' } as const)[toast.tone]
  return (
    <div
      class={`toast toast-${toast.tone}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <Icon name={icon} />
      <bdi>{visible(toast.text)}</bdi>
      {toast.action && (
        <button
          type="button"
          class="button button-plain"
          onClick={() => {
            toast.action?.run()
            closeToast(toast.id)
          }}
        >
          <span>{toast.action.label}</span>
        </button>
      )}
      <IconButton icon="cross" label="Close message" onClick={() => closeToast(toast.id)} />
    </div>
  )
}
