import { join } from 'node:path'

/** Absolute paths of an installed server. They are the same on every server. */
export const layout = {
  /** Holds one folder for each installed version. Owned by root. */
  programs: '/opt/strata',
  versions: '/opt/strata/versions',
  /** Symbolic link to the version that the unit starts. */
  current: '/opt/strata/current',
  /** Versions of the server, and an upgrade that has not ended. */
  record: '/opt/strata/server.json',
  /** Copies of the daemon's database, made before upgrades. Mode 0700. */
  snapshots: '/opt/strata/snapshots',
  unit: '/etc/systemd/system/stratad.service',
  dataDir: '/var/lib/strata',
  commands: '/usr/local/bin',
} as const

/** Name of the systemd unit. */
export const unitName = 'stratad.service'

/** Path of the package inside the folder of a version. npm uses the same layout. */
export const packageInVersion = 'node_modules/stratad'

/** Returns the place of an absolute path below another root folder, for example of an image. */
export function placeIn(root: string, path: string): string {
  return join(root, path)
}

/** Returns the path of a program through the link to the current version. */
export function currentProgram(name: 'strata' | 'stratad'): string {
  return join(layout.current, packageInVersion, 'bin', `${name}.js`)
}
