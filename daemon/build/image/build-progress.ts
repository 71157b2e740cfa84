import * as z from 'zod'

/** Report of an engine that builds an image. */
export interface BuildProgress {
  /** Lines for the build's output. */
  readonly lines: readonly { readonly text: string; readonly stream: 'stdout' | 'stderr' }[]
  readonly error?: string
}

const messageSchema = z.object({
  stream: z.string().optional(),
  status: z.string().optional(),
  id: z.string().optional(),
  error: z.string().optional(),
  aux: z.unknown().optional(),
})

/** Returns a function that translates one JSON message of the classic builder or of BuildKit. */
export function createBuildProgress(): (json: string) => BuildProgress {
  const shown = new Set<string>()

  function once(text: string): { text: string; stream: 'stdout' }[] {
    if (shown.has(text)) return []
    shown.add(text)
    return [{ text: `${text}\n`, stream: 'stdout' }]
  }

  function trace(aux: string): BuildProgress {
    const fields = fieldsOf(Buffer.from(aux, 'base64'))
    // StatusResponse: 1 vertexes, 3 logs. Vertex: 3 name, 4 cached. VertexLog: 3 stream, 4 msg.
    const steps = fields
      .filter(({ tag }) => tag === 1)
      .flatMap(({ bytes }) => {
        const vertex = fieldsOf(bytes)
        const name = vertex.find(({ tag }) => tag === 3)?.bytes.toString('utf8') ?? ''
        const isCached = vertex.some(({ tag, number }) => tag === 4 && number === 1)
        const hasStarted = vertex.some(({ tag }) => tag === 5)
        if (name === '' || name.startsWith('[internal]') || !/^\[/.test(name)) return []
        if (isCached) return once(`#cached ${name}`)
        return hasStarted && !shown.has(`#cached ${name}`) ? once(name) : []
      })
    const logs = fields
      .filter(({ tag }) => tag === 3)
      .map(({ bytes }) => {
        const log = fieldsOf(bytes)
        const isError = log.some(({ tag, number }) => tag === 3 && number === 2)
        const text = log.find(({ tag }) => tag === 4)?.bytes.toString('utf8') ?? ''
        return { text, stream: isError ? ('stderr' as const) : ('stdout' as const) }
      })
    return { lines: [...steps, ...logs] }
  }

  return (json) => {
    const message = messageSchema.safeParse(parse(json))
    if (!message.success) return { lines: [] }
    const { stream, id, error, aux, status } = message.data
    if (error !== undefined) return { lines: [], error }
    if (id === 'moby.buildkit.trace' && typeof aux === 'string') return trace(aux)
    if (stream !== undefined) return { lines: [{ text: stream, stream: 'stdout' }] }
    // Progress of a download repeats many times a second.
    if (status !== undefined && /^(Pulling from|Digest:|Status:)/.test(status)) {
      return { lines: once(status) }
    }
    return { lines: [] }
  }
}

interface Field {
  readonly tag: number
  readonly number: number
  readonly bytes: Buffer
}

/** Reads the fields of a protobuf message. Stops at damage: the output of a build is no reason to fail it. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let scale = 1; at < message.length; scale *= 128) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * scale
      if (byte < 128) break
    }
    return value
  }
  while (at < message.length) {
    const key = varint()
    const kind = key % 8
    const tag = Math.floor(key / 8)
    if (kind === 0) fields.push({ tag, number: varint(), bytes: Buffer.alloc(0) })
    else if (kind === 2) {
      const length = varint()
      fields.push({ tag, number: 0, bytes: message.subarray(at, at + length) })
      at += length
    } else if (kind === 1 || kind === 5) at += kind === 1 ? 8 : 4
    else break
  }
  return fields
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
