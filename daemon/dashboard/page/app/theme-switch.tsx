import type { JSX } from 'preact'
import { Icon } from '../components/icon.tsx'
import { chooseTheme, theme } from '../state/theme.ts'

const choices = [
  { id: 'system', label: 'Theme of the system', icon: 'system' },
  { id: 'light', label: 'Light theme', icon: 'sun' },
  { id: 'dark', label: 'Dark theme', icon: 'moon' },
] as const

/** Chooses between the theme of the system, light and dark. */
export function ThemeSwitch(): JSX.Element {
  return (
    <fieldset class="theme-switch">
      <legend class="visually-hidden">Theme</legend>
      {choices.map(({ id, label, icon }) => (
        <button
          key={id}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={theme.value === id}
          onClick={() => chooseTheme(id)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </fieldset>
  )
}
