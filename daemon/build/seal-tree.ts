import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  readdirSync,
  unlinkSync,
} from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { DaemonError } from '../errors.ts'
import { openFolder } from '../open-folder.ts'
import type { Cell } from '../ports.ts'

type User = NonNullable<Cell['user']>

/** Maximum depth of a tree: each level keeps a folder open. */
const maxDepth = 200
/** Number of entries between two turns of the event loop. */
const batch = 256

/**
 * Takes a tree from a user: afterwards root owns all folders and files, nobody else can write to them, and everybody
 * who reaches them can read them. Removes FIFOs and sockets. Leaves files of other owners unchanged. Processes of the
 * user may run meanwhile: each folder is taken before its entries, and entries are named through the open folder.
 */
export async function sealTree(top: string, user: User): Promise<void> {
  let visited = 0
  const seal = async (path: string | Buffer, depth: number): Promise<void> => {
    if (depth > maxDepth) {
      throw new DaemonError(
        'unprocessable',
        `the packages have more than ${maxDepth} nested folders`,
      )
    }
    const folder = openFolder(path)
    try {
      fchownSync(folder, 0, 0)
      fchmodSync(folder, 0o755)
      const base = `/proc/self/fd/${folder}`
      for (const entry of readdirSync(base, { withFileTypes: true, encoding: 'buffer' })) {
        const inside = Buffer.concat([Buffer.from(`${base}/`), entry.name])
        if (entry.isDirectory()) await seal(inside, depth + 1)
        else if (entry.isFile()) sealFile(inside, user)
        else if (!entry.isSymbolicLink()) unlinkSync(inside)
        visited += 1
        if (visited % batch === 0) await setImmediate()
      }
    } finally {
      closeSync(folder)
    }
  }
  await seal(top, 0)
}

function sealFile(path: Buffer, user: User): void {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const status = fstatSync(file)
    if (!status.isFile() || status.uid !== user.uid) return
    fchownSync(file, 0, 0)
    fchmodSync(file, (status.mode & 0o111) === 0 ? 0o444 : 0o555)
  } finally {
    closeSync(file)
  }
}
