import { useEffect } from 'preact/hooks'

/** Reloads data at an interval while the page is visible: samples have no event. */
export function useReload(reload: () => void, ms: number): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload()
    }, ms)
    return () => clearInterval(timer)
  }, [])
}
