import { signal } from '@preact/signals'

const stepMs = 10_000

/** The current time in milliseconds since 1970, in steps of 10 s. */
export const now = signal(Date.now())

const update = () => {
  if (document.visibilityState === 'visible') now.value = Date.now()
}
setInterval(update, stepMs)
document.addEventListener('visibilitychange', update)
