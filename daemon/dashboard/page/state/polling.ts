import type { LiveSource } from './live.ts'

const intervalMs = 5_000

/** Reports a possible change of everything every 5 s while the page is visible, and when it becomes visible. */
export const pollingSource: LiveSource = (report) => {
  const poll = () => {
    if (document.visibilityState === 'visible') report('all')
  }
  const timer = setInterval(poll, intervalMs)
  document.addEventListener('visibilitychange', poll)
  window.addEventListener('online', poll)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', poll)
    window.removeEventListener('online', poll)
  }
}
