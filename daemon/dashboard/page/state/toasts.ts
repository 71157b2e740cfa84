import { signal } from '@preact/signals'

export interface Toast {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'plain'
  readonly text: string
  /** A button that takes the action back, or leads on. */
  readonly action: { readonly label: string; readonly run: () => void } | undefined
}

export const toasts = signal<readonly Toast[]>([])

const maxToasts = 4
let lastId = 0

/** Shows a message at the edge of the page. It disappears by itself; an error stays until it is closed. */
export function showToast(
  text: string,
  { tone = 'plain', action }: { tone?: Toast['tone']; action?: Toast['action'] } = {},
): void {
  lastId += 1
  toasts.value = [...toasts.value, { id: lastId, tone, text, action }].slice(-maxToasts)
}

export function closeToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
