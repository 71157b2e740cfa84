import type { Wall } from '../ports.ts'
import type { Controller } from './group-files.ts'
import type { Groups } from './groups.ts'
import type { WallName } from './open-walls.ts'

const noGroups = 'this host lets the daemon write no control groups: mount cgroup2 read-write'

/** Describes the walls of a host where users and namespaces stand. */
export function describeWalls(groups: Groups | null, hiddenProcesses: string | undefined): Wall[] {
  return [
    up('users', 'each project has a system user of its own, and its apps have no privileges'),
    up('files', 'projects see neither the files of the daemon nor of each other'),
    up('temporary folders', 'each project has its own /tmp, /var/tmp and /dev/shm'),
    hiddenProcesses === undefined
      ? up('processes', 'projects do not see the processes of others')
      : down('processes', `projects see the command lines of others: ${hiddenProcesses}`),
    groups
      ? up('process groups', 'everything that an app started ends with the app')
      : down('process groups', `processes that detach themselves may survive: ${noGroups}`),
    limit(groups, 'memory', 'deploy.memory_mb'),
    limit(groups, 'cpu', 'deploy.cpus'),
    limit(groups, 'pids', 'deploy.pids'),
  ]
}

function limit(groups: Groups | null, name: Controller, setting: string): Wall {
  if (groups?.limits(name)) return up(name, `the kernel enforces ${setting}`)
  const why = groups ? `the control group controller ${name} is not available` : noGroups
  return down(name, `${setting} is not enforced: ${why}`)
}

function up(name: WallName, detail: string): Wall {
  return { name, stands: true, detail }
}

function down(name: WallName, detail: string): Wall {
  return { name, stands: false, detail }
}
