import type { Environment, Project } from '../../../client/contract.ts'
import { type RoomName, roomPaths } from '../../room-paths.ts'
import { rooms } from '../app/rooms.ts'
import type { IconName } from '../components/icon.tsx'
import { refusalOf } from '../state/rights.ts'
import { navigate } from '../state/router.ts'
import { session, signOut } from '../state/session.ts'
import { chooseTheme } from '../state/theme.ts'
import { stateText } from '../text/state-text.ts'
import type { Findable } from './find-commands.ts'
import { openKeys } from './overlay.ts'

export interface Command extends Findable {
  readonly id: string
  readonly icon: IconName
  readonly run: () => void
}

/** Returns the commands that need no request: rooms and actions of the page. */
export function fixedCommands(): Command[] {
  // The cast is safe: the keys of `rooms` are names of rooms.
  const names = Object.keys(rooms) as RoomName[]
  const places = names.flatMap((name): Command[] => {
    const record = rooms[name]
    if (!record?.nav || (record.needs && refusalOf(record.needs) !== undefined)) return []
    const { icon } = record.nav
    return [goTo(`room ${name}`, record.title, 'Go to', icon, roomPaths[name])]
  })
  return [...places, ...actions()]
}

function actions(): Command[] {
  const current = session.peek()
  const isOpen = current.kind === 'signed-in' && current.identity.kind === 'open'
  const act = (text: string, icon: IconName, run: () => void): Command => ({
    ...{ id: `action ${text}`, text, note: 'Action', icon, run },
  })
  return [
    act('Use the light theme', 'sun', () => chooseTheme('light')),
    act('Use the dark theme', 'moon', () => chooseTheme('dark')),
    act('Use the theme of the system', 'system', () => chooseTheme('system')),
    act('Show keyboard shortcuts', 'keyboard', openKeys),
    ...(isOpen ? [] : [act('Sign out', 'signOut', signOut)]),
  ]
}

/** Returns the commands that open projects and live environments. */
export function placeCommands(
  projects: readonly Project[],
  environments: readonly Environment[],
): Command[] {
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  return [
    ...projects.map(({ id, name }) =>
      goTo(`project ${id}`, name, 'Project', 'projects', `/projects/${id}`),
    ),
    ...environments.map(({ id, branch, project_id, state }) => {
      const note = `${names.get(project_id) ?? 'project'} · ${stateText(state)}`
      return goTo(`environment ${id}`, branch.name, note, 'branch', `/environments/${id}`)
    }),
  ]
}

function goTo(id: string, text: string, note: string, icon: IconName, href: string): Command {
  return { id, text, note, icon, run: () => navigate(href) }
}
