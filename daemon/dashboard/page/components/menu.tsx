import type { JSX } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Need, refusalOf } from '../state/rights.ts'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  readonly tone?: 'plain' | 'danger'
  readonly needs?: Need
  readonly onSelect: () => void
}

/** A button that opens a list of actions. `label` names the button. */
export function Menu({
  label,
  items,
  icon = 'more',
  text,
}: {
  label: string
  /** The actions, or a function that returns them when the menu opens. */
  items: readonly MenuItem[] | (() => readonly MenuItem[])
  icon?: IconName
  /** Shown beside the icon. */
  text?: string
}): JSX.Element {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  // A page has hundreds of menus: the list exists only while it is open.
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    if (!isOpen || !button.current || !list.current) return
    list.current.showPopover()
    placeBelow(list.current, button.current)
    itemsOf(list.current)[0]?.focus()
  }, [isOpen])

  function move(event: KeyboardEvent): void {
    if (!list.current) return
    const all = itemsOf(list.current)
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (event.key === 'Tab') list.current.hidePopover()
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={text === undefined ? 'icon-button' : 'button button-plain'}
        aria-label={text === undefined ? label : undefined}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name={icon} />
        {text && <span>{text}</span>}
      </button>
      {isOpen && (
        <div
          ref={list}
          id={id}
          class="menu"
          role="menu"
          aria-label={label}
          popover="auto"
          onKeyDown={move}
          onToggle={(event) => {
            if (event.newState === 'closed') setOpen(false)
          }}
        >
          {(typeof items === 'function' ? items() : items).map((item) => (
            <MenuEntry
              key={item.text}
              item={item}
              close={() => {
                list.current?.hidePopover()
                button.current?.focus()
              }}
            />
          ))}
        </div>
      )}
    </>
  )
}

function MenuEntry({ item, close }: { item: MenuItem; close: () => void }): JSX.Element {
  const refusal = item.needs && refusalOf(item.needs)
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      class={`menu-item menu-item-${item.tone ?? 'plain'}`}
      aria-disabled={refusal !== undefined}
      title={refusal}
      onClick={() => {
        if (refusal !== undefined) return
        close()
        item.onSelect()
      }}
    >
      {item.icon && <Icon name={item.icon} />}
      <span>
        {item.text}
        {refusal && <span class="menu-refusal">{refusal}</span>}
      </span>
    </button>
  )
}

function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[role="menuitem"]')]
}

const gap = 4
const margin = 8

/** Places a list in the top layer at the end of its button, inside the window. */
function placeBelow(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { width, height } = list.getBoundingClientRect()
  const isAbove = at.bottom + gap + height > innerHeight && at.top > height
  const top = isAbove ? at.top - gap - height : at.bottom + gap
  list.style.top = `${top}px`
  list.style.left = `${Math.max(margin, Math.min(at.right - width, innerWidth - width - margin))}px`
}
