import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { roomPaths } from '../../room-paths.ts'
import { rooms } from '../app/rooms.ts'
import { navigate } from '../state/router.ts'
import { roomKeys } from './keys.ts'
import { closeOverlay, type Overlay, openKeys, openPalette, overlay } from './overlay.ts'
import { hasSingleKeys } from './setting.ts'

/** Listens to the keyboard, and shows the command palette and the list of shortcuts. */
export function Shortcuts(): JSX.Element | null {
  useEffect(listen, [])
  const current = overlay.value
  if (current === undefined) return null
  return <Overlays key={current} kind={current} />
}

const loaders = {
  palette: () => import('./palette.tsx').then(({ Palette }) => Palette),
  keys: () => import('./key-sheet.tsx').then(({ KeySheet }) => KeySheet),
}

/** The code of an overlay is loaded when it opens first. */
function Overlays({ kind }: { kind: Overlay }): JSX.Element | null {
  const [Loaded, setLoaded] = useState<ComponentType<{ onClose: () => void }> | undefined>(
    undefined,
  )
  useEffect(() => {
    loaders[kind]().then((component) => setLoaded(() => component), closeOverlay)
  }, [])
  return Loaded ? <Loaded onClose={closeOverlay} /> : null
}

/** Maximum time between `g` and the key of a room. */
const sequenceMs = 1_500

function listen(): () => void {
  let wentAt = Number.NEGATIVE_INFINITY
  const onKey = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      if (document.querySelector('dialog[open]') === null) openPalette()
      return
    }
    if (!isPlain(event) || isTyping(event) || !hasSingleKeys.peek()) return
    const isGoing = event.timeStamp - wentAt < sequenceMs
    wentAt = Number.NEGATIVE_INFINITY
    if (isGoing) goTo(event)
    else if (event.key === 'g') wentAt = event.timeStamp
    else runKey(event)
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function isPlain({ ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !defaultPrevented
}

/** Keys belong to a field, a menu or a dialog that has the focus. */
function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false
  if (document.querySelector('dialog[open]') !== null) return true
  return target.closest('input, textarea, select, [contenteditable], [role="menu"]') !== null
}

function goTo(event: KeyboardEvent): void {
  const name = roomKeys[event.key]
  if (!name || !rooms[name]) return
  event.preventDefault()
  navigate(roomPaths[name])
}

function runKey(event: KeyboardEvent): void {
  const run = { '?': openKeys, '/': search, j: () => moveRow(1), k: () => moveRow(-1) }[event.key]
  if (!run) return
  event.preventDefault()
  run()
}

/** Moves to the search field of the room, or opens the palette if the room has none. */
function search(): void {
  const field = document.querySelector<HTMLElement>('main input[type="search"]')
  if (field) field.focus()
  else openPalette()
}

/** Moves the focus to the link of the next or previous row. */
function moveRow(step: 1 | -1): void {
  const links = [
    ...document.querySelectorAll<HTMLElement>('main [data-row-link], main .cell-main a'),
  ]
  const row = document.activeElement?.closest('tr, li')
  const at = links.findIndex((link) => link === document.activeElement || row?.contains(link))
  const next = links[at === -1 && step === -1 ? links.length - 1 : at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
