import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Identity, SetupStatus } from '../../../client/contract.ts'
import { type RoomName, roomPaths } from '../../room-paths.ts'
import { IconButton } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Name } from '../components/name.tsx'
import { SearchButton } from '../palette/search-button.tsx'
import { place } from '../state/router.ts'
import { signOut } from '../state/session.ts'
import { Logo } from './logo.tsx'
import { type RoomRecord, rooms } from './rooms.ts'
import { ThemeSwitch } from './theme-switch.tsx'

const groups = [
  { id: 'work', title: 'Apps' },
  { id: 'daemon', title: 'Daemon' },
] as const

/** Rooms of one thing belong to the entry of their list. */
const parents: { readonly [Name in RoomName]?: RoomName } = {
  project: 'projects',
  environment: 'overview',
}

/** The sidebar. On a phone, a bar at the top with a button that opens the sidebar over the page. */
export function Navigation({
  identity,
  setup,
}: {
  identity: Identity
  setup: SetupStatus
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const current = place.value
  useEffect(() => setOpen(false), [current])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
  const active = current && (parents[current.name] ?? current.name)
  return (
    <header class="chrome">
      <div class="top-bar">
        <a class="brand" href="/">
          <Logo />
          <span>Strata</span>
        </a>
        <IconButton
          icon={isOpen ? 'cross' : 'menu'}
          label={isOpen ? 'Close navigation' : 'Open navigation'}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <div class={isOpen ? 'sidebar sidebar-open' : 'sidebar'}>
        <a class="brand" href="/">
          <Logo />
          <span>Strata</span>
        </a>
        <SearchButton />
        <nav class="rooms" aria-label="Rooms">
          {groups.map(({ id, title }) => {
            const entries = entriesOf(id)
            if (entries.length === 0) return null
            return (
              <div key={id} class="room-group">
                <p id={`group-${id}`}>{title}</p>
                <ul aria-labelledby={`group-${id}`}>
                  {entries.map(([name, record]) => (
                    <li key={name}>
                      <a
                        href={roomPaths[name]}
                        class="room-link"
                        aria-current={name === active ? 'page' : undefined}
                      >
                        {record.nav && <Icon name={record.nav.icon} />}
                        <span>{record.title}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )
          })}
        </nav>
        <div class="sidebar-end">
          <ThemeSwitch />
          <div class="person">
            <p>
              {identity.kind === 'open' ? 'Open API' : <Name>{identity.name}</Name>}
              <span class="note">
                {identity.kind === 'token' ? identity.role : 'full access'} · {setup.version}
              </span>
            </p>
            {identity.kind !== 'open' && (
              <IconButton icon="signOut" label="Sign out" onClick={signOut} />
            )}
          </div>
        </div>
      </div>
      {isOpen && (
        <button
          type="button"
          class="scrim"
          aria-label="Close navigation"
          onClick={() => setOpen(false)}
        />
      )}
    </header>
  )
}

function entriesOf(group: string): [RoomName, RoomRecord][] {
  // The cast is safe: the keys of `rooms` are names of rooms.
  const all = Object.entries(rooms) as [RoomName, RoomRecord][]
  return all.filter(([, { nav }]) => nav?.group === group)
}
