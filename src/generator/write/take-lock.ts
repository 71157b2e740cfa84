import { type Disk, hasCode } from './disk.ts'
import { type Owner, ownerOfToken, type Processes, tokenOf } from './owner.ts'
import { tryRemove } from './remove.ts'

/** The result of one attempt. `holder` is undefined if the lock is just being written or released. */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'held'; readonly holder: Owner | undefined }

/**
 * Tries once to take the lock file `lock` (absolute path) for `self`. Never waits.
 *
 * The lock is a hard link to a complete file with its owner, the card: it is never half-written. A stale
 * lock is a race: two runs see the same dead owner, the first replaces the lock, and the second removes the
 * first run's lock. Therefore a run first takes the heir file, named after the dead owner, in the same way.
 * Then it reads the lock again and renames the heir file over the lock. Owners are unique, so each dead owner
 * has at most one heir. A dead heir is replaced by the same rule.
 */
export function takeLock(disk: Disk, lock: string, self: Owner, processes: Processes): Attempt {
  const card = `${lock}.${tokenOf(self)}.card`
  const attempt = withCard(disk, card, self, () => take(disk, lock, lock, card, processes))
  if (attempt.kind === 'taken') removeDeadCards(disk, lock, processes)
  return attempt
}

/** Removes the lock if this owner still holds it. */
export function removeLock(disk: Disk, lock: string, self: Owner): void {
  if (readOwner(disk, lock)?.id === self.id) removeIfThere(disk, lock)
}

function withCard(disk: Disk, card: string, self: Owner, run: () => Attempt): Attempt {
  try {
    return unlessMissing(held(), () => {
      disk.write(card, cardText(self))
      return run()
    })
  } finally {
    tryRemove(() => removeIfThere(disk, card))
  }
}

/** Takes `place`, which is the lock or an heir file. */
function take(
  disk: Disk,
  lock: string,
  place: string,
  card: string,
  processes: Processes,
): Attempt {
  if (claim(disk, card, place)) return { kind: 'taken' }
  const holder = readOwner(disk, place)
  if (holder === undefined || processes.isAlive(holder)) return held(holder)
  const heir = `${lock}.${tokenOf(holder)}.heir`
  const attempt = take(disk, lock, heir, card, processes)
  if (attempt.kind === 'held') return attempt
  if (readOwner(disk, place)?.id !== holder.id) {
    removeIfThere(disk, heir)
    return held()
  }
  disk.rename(heir, place)
  return { kind: 'taken' }
}

function claim(disk: Disk, card: string, place: string): boolean {
  try {
    disk.link(card, place)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error
    return claimWithoutLinks(disk, card, place)
  }
}

/** Creates the file exclusively. Used on FAT and on shared folders of virtual machines, which lack hard links. */
function claimWithoutLinks(disk: Disk, card: string, place: string): boolean {
  try {
    disk.write(place, Buffer.from(disk.read(card)).toString())
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Removes the cards and heir files of killed runs. Safe for the holder of the lock: they are all stale. */
function removeDeadCards(disk: Disk, lock: string, processes: Processes): void {
  const folder = lock.slice(0, lock.lastIndexOf('/'))
  const prefix = lock.slice(folder.length + 1)
  for (const name of disk.list(folder)) {
    if (!name.startsWith(`${prefix}.`)) continue
    const owner = ownerOfToken(name.slice(prefix.length + 1).replace(/\.(card|heir)$/, ''))
    if (owner === undefined || processes.isAlive(owner)) continue
    tryRemove(() => removeIfThere(disk, `${folder}/${name}`))
  }
}

function cardText({ pid, start, id, host }: Owner): string {
  return `${pid} ${start} ${id} ${host}\n`
}

function readOwner(disk: Disk, place: string): Owner | undefined {
  const text = unlessMissing('', () => Buffer.from(disk.read(place)).toString())
  const [, pid, start, id, host] = /^(\d+) (\d+) ([0-9a-f]+) (\S*)\n$/.exec(text) ?? []
  if (pid === undefined || start === undefined || id === undefined) return undefined
  return { pid: Number(pid), start, id, host: host ?? '' }
}

function held(holder?: Owner): Attempt {
  return { kind: 'held', holder }
}

function removeIfThere(disk: Disk, path: string): void {
  unlessMissing(undefined, () => disk.removeFile(path))
}

/** Runs `run`, and returns `otherwise` if a file is missing: other runs may remove any of these files. */
function unlessMissing<T>(otherwise: T, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise
    throw error
  }
}
