import { signal } from '@preact/signals'

const key = 'strata-single-keys'

/** False if the person turned shortcuts of a single key off, for example because they dictate. */
export const hasSingleKeys = signal(read())

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn
  try {
    if (isOn) localStorage.removeItem(key)
    else localStorage.setItem(key, 'off')
  } catch {
    // The browser forbids storage: the choice lasts until the page closes.
  }
}

function read(): boolean {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return true
  }
}
