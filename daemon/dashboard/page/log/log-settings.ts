import { signal } from '@preact/signals'

const isNarrow = typeof matchMedia === 'function' && matchMedia('(max-width: 640px)').matches

/** How logs are shown, until the page closes. A phone has no room for times. */
export const logSettings = {
  isWrapped: signal(true),
  hasTimes: signal(!isNarrow),
  toggle(name: 'isWrapped' | 'hasTimes'): void {
    logSettings[name].value = !logSettings[name].peek()
  },
}
