import type { JSX } from 'preact'
import { Icon } from '../components/icon.tsx'
import { openPalette } from './overlay.ts'

/** Opens the command palette, and shows its shortcut. */
export function SearchButton(): JSX.Element {
  return (
    <button
      type="button"
      class="search-button"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={openPalette}
    >
      <Icon name="search" />
      <span>Search</span>
      <kbd>{isMac() ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  )
}

function isMac(): boolean {
  return /^Mac|iPhone|iPad/.test(navigator.platform)
}
