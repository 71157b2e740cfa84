import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import * as z from 'zod'
import { isPlainPath, staysInside } from './entry-path.ts'
import { maxFrameBytes } from './frames.ts'

/** A volume on disk. */
export interface VolumePlace {
  /** Absolute path of the parent folder of all volumes. */
  readonly volumes: string
  readonly project: string
  readonly volume: string
  /** Absolute path of an empty folder for copies of databases. */
  readonly snapshots: string
}

/** The entries of a volume, in order. The reader of `bytes` must read a file before the next entry. */
export type VolumeEntry =
  | { readonly kind: 'folder'; readonly path: string; readonly mode: number }
  | FileEntry
  | { readonly kind: 'link' | 'same'; readonly path: string; readonly target: string }
  | { readonly kind: 'skipped' | 'note'; readonly path: string; readonly reason: string }

export interface FileEntry {
  readonly kind: 'file'
  readonly path: string
  readonly mode: number
  readonly mtime: number
  readonly bytes: number
  readonly isDatabase: boolean
  /** Yields exactly `bytes` bytes. Returns the number of padded zeros; undefined if the reader failed midway. */
  content(): AsyncGenerator<Buffer, number | undefined>
}

/** Limits of the time in which the daemon waits for a reader. The owner of a volume can stop its reader. */
export interface Patience {
  /** Maximum silence. A reader in the copy of a large database sends messages. */
  readonly silenceMs: number
  /** Maximum total without any data. Each MiB of data and each message of a copy adds to it. */
  readonly totalMs: number
}

const usual: Patience = { silenceMs: 60_000, totalMs: 180_000 }

/** Time that each MiB adds to the total: a slower reader is ended. */
const msForMib = 1_000
/** Time that a message during the copy of a database adds, for its 5,000 pages. */
const msForBusy = 10_000

const text = z.string().max(8_000)
const path = text.refine(isPlainPath)
const mode = z.int().min(0).max(0o777)
const frame = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), uid: z.int().nullable() }),
  z.strictObject({ kind: z.literal('folder'), path, mode }),
  z.strictObject({
    ...{ kind: z.literal('file'), path, mode },
    mtime: z.int(),
    bytes: z.int().nonnegative(),
    isDatabase: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('end'), padded: z.int().nonnegative() }),
  z
    .strictObject({ kind: z.literal('link'), path, target: text })
    .refine((link) => staysInside(link.path, link.target)),
  z.strictObject({ kind: z.literal('same'), path, target: path }),
  z.strictObject({ kind: z.enum(['skipped', 'note']), path: text, reason: text }),
  z.strictObject({ kind: z.literal('busy') }),
  z.strictObject({ kind: z.literal('done') }),
])

/**
 * Yields the entries of a volume, read by a child process. The child's messages are validated like any input, because the
 * owner of the volume can stop or kill the child. Throws Error with the reason if the child fails.
 */
export async function* readVolume(
  program: readonly string[],
  place: VolumePlace,
  patience = usual,
): AsyncGenerator<VolumeEntry> {
  const isRoot = process.getuid?.() === 0
  if (isRoot && process.platform === 'linux') {
    const reader = startReader(['unshare', ...unshareOptions, '--', ...program], place, patience)
    try {
      if (await reader.isReady()) return yield* reader.entries()
    } finally {
      reader.end()
    }
  }
  // Without a mount namespace, for example in a container.
  const reader = startReader(program, place, patience)
  try {
    if (!(await reader.isReady())) throw new Error(reader.fault())
    yield* reader.entries()
  } finally {
    reader.end()
  }
}

const unshareOptions = ['--mount', '--propagation', 'slave']

function startReader(argv: readonly string[], place: VolumePlace, patience: Patience) {
  const [command = '', ...args] = argv
  const { volumes, project, volume, snapshots } = place
  const child = spawn(command, [...args, volumes, project, volume, snapshots], {
    // The daemon's environment contains secrets. io_uring would disable a change of the user.
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      UV_USE_IO_URING: '0',
      ...(command === 'unshare' && { STRATA_OWN_MOUNTS: '1' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  })
  const said = collectError(child)
  const bytes = createByteReader(child.stdout, patience, () => child.kill('SIGKILL'))
  const next = async () => {
    const length = (await bytes.read(4))?.readUInt32BE()
    if (length === undefined || length > maxFrameBytes) return undefined
    const data = await bytes.read(length)
    return data && frame.parse(JSON.parse(data.toString('utf8')))
  }
  const fault = () => {
    if (bytes.isTooSlow()) return 'its reader was stopped, or too slow'
    return said().trim().split('\n').at(-1)?.slice(0, 500) || 'its reader ended early'
  }

  async function* content(size: number): AsyncGenerator<Buffer, number | undefined> {
    let left = size
    while (left > 0) {
      const chunk = await bytes.readUpTo(left)
      if (chunk === undefined) {
        while (left > 0) {
          const zeros = Buffer.alloc(Math.min(left, 256 * 1024))
          left -= zeros.length
          yield zeros
        }
        return undefined
      }
      left -= chunk.length
      yield chunk
    }
    const end = await next()
    return end?.kind === 'end' ? end.padded : undefined
  }

  return {
    fault,
    async isReady() {
      return (await next())?.kind === 'ready'
    },
    async *entries(): AsyncGenerator<VolumeEntry> {
      for (let message = await next(); message?.kind !== 'done'; message = await next()) {
        if (message === undefined) throw new Error(fault())
        if (message.kind === 'file') {
          const { bytes: size } = message
          yield { ...message, content: () => content(size) }
        } else if (message.kind === 'busy') bytes.wait(msForBusy)
        else if (message.kind !== 'ready' && message.kind !== 'end') {
          yield message
        }
      }
    },
    end() {
      child.kill('SIGKILL')
    },
  }
}

/** Collects the first bytes of stderr. A failure to start the program counts as its output. */
function collectError(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (said.length < 10_000) said += chunk
  })
  child.once('error', (error) => {
    said += error.message
  })
  return () => said
}

/** Reads a stream in pieces of a wanted size. Calls `onTooSlow` once the source has used up the patience. */
function createByteReader(source: Readable, patience: Patience, onTooSlow: () => void) {
  let isTooSlow = false
  let leftMs = patience.totalMs
  let rest: Buffer = Buffer.alloc(0)
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>

  /** Returns the rest of the last chunk, or the next chunk; undefined at the end and for a broken stream. */
  async function fill(): Promise<Buffer | undefined> {
    if (rest.length > 0) return rest
    const startedAt = performance.now()
    const timer = setTimeout(
      () => {
        isTooSlow = true
        onTooSlow()
      },
      Math.min(patience.silenceMs, leftMs),
    )
    try {
      const { done, value } = await chunks.next()
      rest = done ? Buffer.alloc(0) : value
      leftMs += (rest.length / 2 ** 20) * msForMib - (performance.now() - startedAt)
      return done ? undefined : rest
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  async function readUpTo(size: number): Promise<Buffer | undefined> {
    const chunk = await fill()
    rest = chunk?.subarray(size) ?? rest
    return chunk?.subarray(0, size)
  }

  return {
    isTooSlow: () => isTooSlow,
    /** Allows the source more time. */
    wait(ms: number) {
      leftMs += ms
    },
    readUpTo,
    async read(size: number): Promise<Buffer | undefined> {
      const parts: Buffer[] = []
      for (let left = size; left > 0; ) {
        const part = await readUpTo(left)
        if (part === undefined) return undefined
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts, size)
    },
  }
}
