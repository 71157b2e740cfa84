import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

export interface Tab<Id extends string> {
  readonly id: Id
  readonly text: string
  readonly count?: number | undefined
}

/** Several views in one place. Render the content of the selected tab as `children`. Arrow keys change the tab. */
export function Tabs<Id extends string>({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  label: string
  tabs: readonly Tab<Id>[]
  selected: Id
  onSelect: (id: Id) => void
  children: ComponentChildren
}): JSX.Element {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)

  // A phone is narrower than the tabs: the selected one is never outside.
  useLayoutEffect(() => {
    const tab = list.current?.querySelector('[aria-selected="true"]')
    if (!tab || !list.current) return
    const hidden = tab.getBoundingClientRect().right - list.current.getBoundingClientRect().right
    if (hidden > 0) list.current.scrollLeft += hidden
  }, [selected])

  function move(event: KeyboardEvent): void {
    const at = tabs.findIndex((tab) => tab.id === selected)
    const next = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const tab = next === undefined ? undefined : tabs[next]
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${id}-${tab.id}`)}`)?.focus()
  }

  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${id}-${tab.id}`}
            type="button"
            role="tab"
            class="tab"
            aria-selected={tab.id === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === selected ? 0 : -1}
            onClick={() => onSelect(tab.id)}
          >
            {tab.text}
            {tab.count !== undefined && <span class="count">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${selected}`}
        class="tab-panel"
      >
        {children}
      </div>
    </div>
  )
}
