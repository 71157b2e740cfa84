import type { JSX } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ErrorNote } from '../components/error-state.tsx'
import { Icon } from '../components/icon.tsx'
import { Name } from '../components/name.tsx'
import { useLiveEnvironments, useProjects } from '../state/lists.ts'
import { type Command, fixedCommands, placeCommands } from './commands.ts'
import { findItems } from './find-commands.ts'

const maxShown = 50

/** Finds rooms, projects, environments and actions by a few letters, and opens the chosen one. */
export function Palette({ onClose }: { onClose: () => void }): JSX.Element {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const projects = useProjects()
  const environments = useLiveEnvironments()
  const error = projects.error ?? environments.error
  const places = placeCommands(projects.data ?? [], environments.data ?? [])
  const found = findItems([...fixedCommands(), ...places], query, maxShown)
  const current = found[Math.min(at, found.length - 1)]

  useLayoutEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      dialog.current?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])

  function run(command: Command): void {
    onClose()
    // The dialog gives the focus back first: the command may move it again.
    setTimeout(command.run)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const last = found.length - 1
    const next = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : Math.min(at, last) - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setAt(next)
    } else if (event.key === 'Enter' && current) {
      event.preventDefault()
      run(current)
    }
  }

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          class="palette-input"
          placeholder="Search rooms, projects, branches and actions"
          aria-label="Search rooms, projects, branches and actions"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current && `${id}-${current.id.replaceAll(' ', '-')}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="palette-close" onClick={onClose}>
          <kbd>Esc</kbd>
          <span class="visually-hidden">: close the search</span>
        </button>
      </div>
      <div ref={list} id={`${id}-list`} class="palette-list" role="listbox" aria-label="Commands">
        {found.map((command) => (
          <Option
            key={command.id}
            id={`${id}-${command.id.replaceAll(' ', '-')}`}
            command={command}
            isSelected={command === current}
            onRun={() => run(command)}
          />
        ))}
      </div>
      {found.length === 0 && <p class="palette-note">Nothing has this name.</p>}
      {error !== undefined && <ErrorNote error={error} />}
    </dialog>
  )
}

function Option({
  id,
  command: { text, note, icon },
  isSelected,
  onRun,
}: {
  id: string
  command: Command
  isSelected: boolean
  onRun: () => void
}): JSX.Element {
  return (
    // The field has the focus and handles the keys of the list.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    // biome-ignore lint/a11y/useFocusableInteractive: see above.
    <div id={id} role="option" class="palette-option" aria-selected={isSelected} onClick={onRun}>
      <Icon name={icon} />
      <span class="palette-text">
        <Name>{text}</Name>
      </span>
      <span class="note">
        <Name>{note}</Name>
      </span>
    </div>
  )
}
