import { type Disk, nodeDisk, type WriteOptions } from '../../../../src/generator/write/disk.ts'

/** Thrown at the operation that kills a run. After that, every operation of the disk throws. */
export class Kill extends Error {
  constructor() {
    super('killed')
    this.name = 'Kill'
  }
}

export interface Operation {
  readonly name: keyof Disk
  readonly path: string
  /** Index among the operations that change the disk; undefined for a read. */
  readonly index: number | undefined
  readonly text?: string
  readonly options?: WriteOptions | undefined
}

/**
 * Wraps the real disk and calls `before` ahead of each operation. An operation throws the errors of `before`.
 * Never flushes: these tests do thousands of runs and kill processes, not the kernel.
 */
export function watchedDisk(before: (operation: Operation) => void): Disk {
  let count = 0
  const read = (name: keyof Disk, path: string) => before({ name, path, index: undefined })
  const change = (name: keyof Disk, path: string, rest: Partial<Operation> = {}) =>
    before({ ...rest, name, path, index: count++ })
  return {
    stat: (path) => {
      read('stat', path)
      return nodeDisk.stat(path)
    },
    read: (path) => {
      read('read', path)
      return nodeDisk.read(path)
    },
    list: (folder) => {
      read('list', folder)
      return nodeDisk.list(folder)
    },
    isWritable: (folder) => {
      read('isWritable', folder)
      return nodeDisk.isWritable(folder)
    },
    write: (path, text, options) => {
      change('write', path, { text, options })
      nodeDisk.write(path, text, { ...options, durable: false })
    },
    makeFolder: (path, mode) => {
      change('makeFolder', path)
      nodeDisk.makeFolder(path, mode)
    },
    syncFolder: (path) => {
      change('syncFolder', path)
    },
    link: (from, to) => {
      change('link', to)
      nodeDisk.link(from, to)
    },
    rename: (from, to) => {
      change('rename', to)
      nodeDisk.rename(from, to)
    },
    removeFile: (path) => {
      change('removeFile', path)
      nodeDisk.removeFile(path)
    },
    removeFolder: (path) => {
      change('removeFolder', path)
      nodeDisk.removeFolder(path)
    },
  }
}

/** A disk that kills its run at change number `at` (0-based): before the change, or in the middle of a write. */
export function killingDisk(at: number, halfWritten = false): Disk {
  let dead = false
  return watchedDisk(({ index, name, path, text = '', options }) => {
    if (index === at && halfWritten && name === 'write') {
      nodeDisk.write(path, text.slice(0, text.length / 2), { ...options, durable: false })
    }
    if (index === at) dead = true
    if (dead) throw new Kill()
  })
}

/** A disk on which change number `at` fails once with an errno. */
export function failingDisk(at: number, code: string): Disk {
  return watchedDisk(({ index }) => {
    if (index === at) throw diskError(code)
  })
}

/** A disk that is full from change number `at` on, but still removes and renames. */
export function fullDisk(at: number): Disk {
  return watchedDisk(({ index, name }) => {
    const isGrowing = name === 'write' || name === 'makeFolder' || name === 'link'
    if (index !== undefined && index >= at && isGrowing) throw diskError('ENOSPC')
  })
}

export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code, syscall: 'simulated' })
}
