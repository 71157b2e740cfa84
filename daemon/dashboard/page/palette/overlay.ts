import { signal } from '@preact/signals'

export type Overlay = 'palette' | 'keys'

/** The overlay that is open. */
export const overlay = signal<Overlay | undefined>(undefined)

export function openPalette(): void {
  overlay.value = 'palette'
}

export function openKeys(): void {
  overlay.value = 'keys'
}

export function closeOverlay(): void {
  overlay.value = undefined
}
