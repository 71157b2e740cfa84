import { readdirSync, readFileSync } from 'node:fs'

/** Returns the pids of all processes of a user. Reads the status, because /proc hides the owner of some processes. */
export function processesOf(uid: number): number[] {
  return allPids().filter((pid) => userOf(pid) === uid)
}

/** Returns the users that have processes. */
export function usersWithProcesses(): Set<number> {
  return new Set(allPids().flatMap((pid) => userOf(pid) ?? []))
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** Returns the real user of a process; undefined if the process has ended. */
function userOf(pid: number): number | undefined {
  try {
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return uid === undefined ? undefined : Number(uid)
  } catch {
    return undefined
  }
}
