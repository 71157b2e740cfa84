import { signal } from '@preact/signals'

/** `system` follows the setting of the operating system. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'strata-theme'

/** Returns the theme that this browser keeps. */
export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(key)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    // The browser forbids storage.
    return 'system'
  }
}

export const theme = signal<Theme>('system')

/** Shows the page in a theme and keeps the choice in this browser. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  showTheme(chosen)
  try {
    if (chosen === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, chosen)
  } catch {
    // The browser forbids storage: the choice lasts until the page closes.
  }
}

export function showTheme(chosen: Theme): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}
