/** Receives the bytes of a download. Nothing is saved before `finish`. */
export interface Sink {
  /** Throws if the bytes can't be kept, for example because the disk is full. */
  write(chunk: Uint8Array): Promise<void>
  /** Saves the file, and returns its name. `name` is the daemon's proposal. */
  finish(name: string): Promise<string>
  /** Removes what was written. */
  discard(): Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string
    types: { description: string; accept: Record<string, string[]> }[]
  }) => Promise<FileSystemFileHandle>
}

/** True if this browser writes a download to the disk while it arrives: Chromium, at an https or a local address. */
export function canStream(): boolean {
  return typeof (window as SavePicker).showSaveFilePicker === 'function'
}

/**
 * Returns a sink on the disk at a place that the person chooses, or a sink in memory in a browser that can't do that.
 * Returns undefined if the person chooses none. Call it within a click: the browser asks at no other time.
 */
export async function openSink(): Promise<Sink | undefined> {
  const { showSaveFilePicker } = window as SavePicker
  if (showSaveFilePicker === undefined) return memorySink()
  try {
    const handle = await showSaveFilePicker.call(window, {
      suggestedName: `strata-backup-${new Date().toISOString().slice(0, 10)}.tar`,
      types: [{ description: 'Backup', accept: { 'application/x-tar': ['.tar'] } }],
    })
    return await fileSink(handle)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined
    // A policy of the browser may forbid the picker.
    if (error instanceof DOMException && error.name === 'SecurityError') return memorySink()
    throw error
  }
}

/** The browser writes to a file beside the chosen one, and replaces that one when the stream is closed. */
async function fileSink(handle: FileSystemFileHandle): Promise<Sink> {
  const file = await handle.createWritable()
  return {
    async write(chunk) {
      try {
        // The cast holds: the body of a response is never in shared memory.
        await file.write(chunk as Uint8Array<ArrayBuffer>)
      } catch (cause) {
        throw new Error('the file could not be written: is the disk full?', { cause })
      }
    },
    async finish() {
      await file.close()
      return handle.name
    },
    // A stream that has failed is discarded already.
    discard: () => file.abort().catch(() => undefined),
  }
}

function memorySink(): Sink {
  let parts: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(chunk) {
      // The cast holds: the body of a response is never in shared memory.
      parts.push(chunk as Uint8Array<ArrayBuffer>)
    },
    async finish(name) {
      save(new Blob(parts, { type: 'application/x-tar' }), name)
      return name
    },
    async discard() {
      parts = []
    },
  }
}

function save(file: Blob, fileName: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
