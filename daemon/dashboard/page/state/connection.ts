import { signal } from '@preact/signals'

/** Whether the daemon answers. `lost` since the last answer, in milliseconds since 1970. */
export type Connection =
  | { readonly kind: 'up' }
  | { readonly kind: 'lost'; readonly since: number; readonly message: string }

export const connection = signal<Connection>({ kind: 'up' })

let lastAnswerAt = Date.now()

export function reportAnswer(): void {
  lastAnswerAt = Date.now()
  if (connection.value.kind !== 'up') connection.value = { kind: 'up' }
}

export function reportLoss(message: string): void {
  if (connection.value.kind === 'lost') return
  connection.value = { kind: 'lost', since: lastAnswerAt, message }
}
