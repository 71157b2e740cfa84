import { type Disk, hasCode } from './disk.ts'
import { type Owner, ownerOfToken, type Processes, tokenOf } from './owner.ts'
import { tryRemove } from './remove.ts'

/** How one attempt ended. `holder` is undefined if the lock was being written or given back. */
export type Attempt =
  | { readonly kind: 'taken' }
  | { readonly kind: 'held'; readonly holder: Owner | undefined }

/**
 * Tries once to take the lock file `lock` (absolute path) for `self`; never waits.
 *
 * A lock is a hard link to a file that already names its owner, so it never exists half-written.
 * Taking over a dead owner's lock is where lock files go wrong: two runs see the same dead owner, the
 * first replaces its lock, the second then removes the first one's. So a taker first takes the heir
 * file, which is named after that one dead owner, in the same way; looks again; and renames the heir
 * file over the lock. There is one heir file a dead owner, hence one heir, and an owner's name never
 * comes back. A dead heir is succeeded in turn by the same rule.
 */
export function takeLock(disk: Disk, lock: string, self: Owner, processes: Processes): Attempt {
  const card = `${lock}.${tokenOf(self)}.card`
  const attempt = withCard(disk, card, self, () => take(disk, lock, lock, card, processes))
  if (attempt.kind === 'taken') removeDeadCards(disk, lock, processes)
  return attempt
}

/** Gives the lock back, if it still is this owner's. */
export function releaseLock(disk: Disk, lock: string, self: Owner): void {
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

/** `place` is the lock itself or an heir file. */
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

/** FAT and some shared folders of virtual machines have no hard links, but exclusive creation. */
function claimWithoutLinks(disk: Disk, card: string, place: string): boolean {
  try {
    disk.write(place, Buffer.from(disk.read(card)).toString())
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** What runs leave that were killed in here. Who holds the lock may: no heir of the past counts now. */
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

/** Everything in here can vanish under a run's feet: another run gave the lock back, or tidied up. */
function unlessMissing<T>(otherwise: T, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise
    throw error
  }
}
