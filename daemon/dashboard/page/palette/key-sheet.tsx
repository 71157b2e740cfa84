import type { JSX } from 'preact'
import { rooms } from '../app/rooms.ts'
import { Dialog } from '../components/dialog.tsx'
import { Checkbox } from '../components/field.tsx'
import { roomKeys } from './keys.ts'
import { hasSingleKeys, setSingleKeys } from './setting.ts'

const everywhere: readonly Shortcut[] = [
  { keys: ['Ctrl', 'K'], text: 'Search and run commands (⌘ K on a Mac)' },
  { keys: ['/'], text: 'Search in this room' },
  { keys: ['?'], text: 'Show this list' },
  { keys: ['Esc'], text: 'Close a dialog' },
]

const lists: readonly Shortcut[] = [
  { keys: ['j'], text: 'Next row' },
  { keys: ['k'], text: 'Previous row' },
  { keys: ['Enter'], text: 'Open the row' },
]

interface Shortcut {
  readonly keys: readonly string[]
  readonly text: string
}

/** The list of keyboard shortcuts. */
export function KeySheet({ onClose }: { onClose: () => void }): JSX.Element {
  const goTo = Object.entries(roomKeys).flatMap(([key, name]): Shortcut[] => {
    const record = rooms[name]
    return record ? [{ keys: ['g', key], text: record.title }] : []
  })
  return (
    <Dialog title="Keyboard shortcuts" size="wide" onClose={onClose}>
      <div class="key-groups">
        <Group title="Everywhere" shortcuts={everywhere} />
        <Group title="Lists" shortcuts={lists} />
        <Group title="Go to" shortcuts={goTo} />
      </div>
      <Checkbox
        label="Shortcuts of single keys"
        hint="Turn them off if you dictate, or if they get in the way. Ctrl K always works."
        isTicked={hasSingleKeys.value}
        onChange={setSingleKeys}
      />
    </Dialog>
  )
}

function Group({
  title,
  shortcuts,
}: {
  title: string
  shortcuts: readonly Shortcut[]
}): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {shortcuts.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
