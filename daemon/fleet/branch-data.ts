import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Parser, type ReadEntry } from 'tar'
import type { Ownership } from '../engine/ownership.ts'
import { transfer } from '../engine/transfer.ts'
import type { BranchData } from '../ports.ts'
import { openVolume, type VolumeArchive } from '../runtime/docker/volume-archive.ts'
import { removeTree } from '../trees.ts'
import { archiveOf, unpackInto } from './folder-archive.ts'
import type { Member } from './member.ts'

/** Data of branches in folders of this host and in volumes of engines. A member that sees the folders uses them. */
export interface BranchDataPlaces {
  copy(data: BranchData, from: Member, to: Member): Promise<void>
  /** Copies data of a volume into a new folder while its containers stand still. No-op if there is no volume. */
  snapshot(data: BranchData, from: Member, into: string, signal: AbortSignal): Promise<void>
  /** Replaces a volume by the content of a folder. Ends the containers that use it. */
  load(data: BranchData, folder: string, to: Member): Promise<void>
  remove(data: BranchData, at: Member): Promise<void>
  /** Returns true if there are files. */
  has(data: BranchData, at: Member): Promise<boolean>
}

export function createBranchData({ ownership }: { ownership: Ownership }): BranchDataPlaces {
  function volumeOf({ projectId, folder }: BranchData, { runtime, name }: Member): string {
    if (!runtime.volumes) throw new Error(`node ${name} keeps data in folders of this host`)
    return runtime.volumes.nameOf(projectId, folder)
  }

  async function withVolume(
    data: BranchData,
    member: Member,
    work: (archive: VolumeArchive) => Promise<void>,
  ): Promise<void> {
    const archive = await openVolume(member.engine, ownership, volumeOf(data, member))
    try {
      await work(archive)
    } finally {
      await archive.close()
    }
  }

  /** Calls `send` with a tar of the data. Does not call it if there is none. */
  async function read(
    data: BranchData,
    from: Member,
    send: (open: (signal: AbortSignal) => Promise<Readable>) => Promise<void>,
  ): Promise<void> {
    if (from.seesFolders) {
      if ((await namesIn(data.folder)).length === 0) return
      await send(async () => archiveOf(data.folder))
    } else if (await from.runtime.volumes?.exists(volumeOf(data, from))) {
      await withVolume(data, from, (archive) => send((signal) => archive.read(signal)))
    }
  }

  async function has(data: BranchData, at: Member): Promise<boolean> {
    if (at.seesFolders) return (await namesIn(data.folder)).length > 0
    let files = 0
    await read(data, at, async (open) => {
      const stop = new AbortController()
      try {
        const list = new Parser({ strict: true })
        list.on('entry', (entry: ReadEntry) => {
          entry.resume()
          // The first entry is the folder itself.
          if (!/^[^/]*\/?$/.test(entry.path)) files += 1
          if (files > 0) stop.abort()
        })
        for await (const chunk of await open(stop.signal)) list.write(chunk)
      } catch (error) {
        if (!stop.signal.aborted) throw error
      }
    })
    return files > 0
  }

  async function empty(data: BranchData, at: Member): Promise<void> {
    if (!at.seesFolders) {
      const volume = volumeOf(data, at)
      // A stopped container, such as that of a worker, would hold the volume.
      await at.runtime.volumeUsers.removeAll(volume, { ifStopped: true })
      return at.runtime.volumes?.remove(volume)
    }
    for (const name of await namesIn(data.folder)) await removeTree(join(data.folder, name))
  }

  /** Replaces the folder only when the whole copy is there: a cut copy leaves it as it was. */
  async function intoFolder(
    { folder }: BranchData,
    open: (signal: AbortSignal) => Promise<Readable>,
    what: string,
  ): Promise<void> {
    const incoming = `${folder}.incoming`
    await removeTree(incoming)
    await mkdir(incoming, { mode: 0o700, recursive: true })
    await transfer(what, open, (body, signal) => unpackInto(incoming, body, signal))
    await removeTree(folder)
    await rename(incoming, folder)
  }

  async function intoVolume(
    data: BranchData,
    to: Member,
    open: (signal: AbortSignal) => Promise<Readable>,
    what: string,
  ): Promise<void> {
    await to.runtime.volumes?.ensure(data.projectId, data.folder)
    await withVolume(data, to, (archive) =>
      transfer(what, open, (body, signal) => archive.write(body, signal)),
    )
  }

  return {
    async copy(data, from, to) {
      const what = `data from ${from.name} to ${to.name}`
      if (to.seesFolders) {
        await read(data, from, (open) => intoFolder(data, open, what))
        return
      }
      await empty(data, to)
      await read(data, from, (open) => intoVolume(data, to, open, what))
    },

    async snapshot(data, from, into, signal) {
      const what = `data from ${from.name}`
      await read(data, from, (open) =>
        from.runtime.volumeUsers.whileFrozen(volumeOf(data, from), async (late) => {
          const limit = AbortSignal.any([signal, late])
          await mkdir(into, { mode: 0o700, recursive: true })
          await transfer(
            what,
            (stop) => open(AbortSignal.any([stop, limit])),
            (body, stop) => unpackInto(into, body, AbortSignal.any([stop, limit])),
          )
        }),
      )
    },

    async load(data, folder, to) {
      const what = `data to ${to.name}`
      await to.runtime.volumeUsers.removeAll(volumeOf(data, to))
      await empty(data, to)
      await intoVolume(data, to, async () => archiveOf(folder), what)
    },

    remove: empty,
    has,
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
