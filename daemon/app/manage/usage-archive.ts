import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { latencyBounds } from '../../domain/traffic.ts'
import type { UsageSlot } from '../ground/use-cases.ts'

/** A slot of one branch. */
export interface BranchSlot extends UsageSlot {
  readonly projectId: number
  readonly branch: string
}

/** The slots of the last days, in one file for each day. */
export interface UsageArchive {
  /** Appends slots of one day, and removes files that are too old. */
  append(slots: readonly BranchSlot[]): Promise<void>
  /** Returns the slots of a branch that begin at or after `since`, oldest first. Slots with equal times are not merged. */
  read(projectId: number, branch: string, since: number): Promise<UsageSlot[]>
}

const dayMs = 86_400_000
/** Files of this many days stay on disk. */
const keptDays = 8
/** A file takes no more slots above this size: about 150,000, or 1,500 apps that run all day. */
const maxFileBytes = 16 * 2 ** 20

const count = z.number().min(0)
const lineSchema = z.tuple([
  z.int(),
  z.string(),
  z.int(),
  count.nullable(),
  count.nullable(),
  count,
  count,
  count,
  z.array(count).length(latencyBounds.length + 1),
])

/** `folder` is created at the first slot. A line is a JSON array; a torn line of a killed daemon is skipped. */
export function createUsageArchive(folder: string): UsageArchive {
  const fileOf = (at: number) => join(folder, `${new Date(at).toISOString().slice(0, 10)}.ndjson`)

  async function prune(now: number): Promise<void> {
    const oldest = fileOf(now - keptDays * dayMs)
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (/^\d{4}-\d\d-\d\d\.ndjson$/.test(name) && path <= oldest) await rm(path, { force: true })
    }
  }

  return {
    async append(slots) {
      const [first] = slots
      if (!first) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(first.at)
      const size = await stat(file).then(
        ({ size }) => size,
        () => 0,
      )
      // A torn last line ends here.
      const text = slots.map((slot) => `${lineOf(slot)}\n`).join('')
      if (size + text.length <= maxFileBytes) {
        await appendFile(file, size === 0 ? text : `\n${text}`, { mode: 0o600 })
      }
      await prune(first.at)
    },

    async read(projectId, branch, since) {
      const prefix = `${JSON.stringify([projectId, branch]).slice(0, -1)},`
      const names = await readdir(folder).catch(() => [])
      const slots: UsageSlot[] = []
      for (const name of names.sort()) {
        const path = join(folder, name)
        if (!name.endsWith('.ndjson') || path < fileOf(since)) continue
        for await (const line of createInterface({ input: createReadStream(path) })) {
          const slot = line.startsWith(prefix) ? slotIn(line) : undefined
          if (slot && slot.at >= since) slots.push(slot)
        }
      }
      return slots
    },
  }
}

function lineOf({ projectId, branch, at, memoryBytes, cpu, traffic }: BranchSlot): string {
  const { requests, errors, sumMs, buckets } = traffic
  const rounded = cpu === null ? null : Math.round(cpu * 1000) / 1000
  return JSON.stringify([
    projectId,
    branch,
    at,
    memoryBytes,
    rounded,
    requests,
    errors,
    sumMs,
    buckets,
  ])
}

function slotIn(line: string): UsageSlot | undefined {
  try {
    const [, , at, memoryBytes, cpu, requests, errors, sumMs, buckets] = lineSchema.parse(
      JSON.parse(line),
    )
    return { at, memoryBytes, cpu, traffic: { requests, errors, sumMs, buckets } }
  } catch {
    return undefined
  }
}
