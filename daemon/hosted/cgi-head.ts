/** The header of a response of a CGI program (RFC 3875). */
export interface CgiHead {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** git sends these; the daemon sets the others itself. */
const passedHeaders: readonly string[] = ['content-type', 'cache-control', 'expires', 'pragma']

const maxBytes = 16_384

/**
 * Splits the output of a CGI program. Returns undefined while the header is incomplete. Throws Error for a header of more
 * than 16 KiB.
 */
export function splitCgiHead(output: Buffer): { head: CgiHead; rest: Buffer } | undefined {
  const end = output.indexOf('\r\n\r\n')
  if (end < 0 && output.length > maxBytes) throw new Error('the header is too large')
  if (end < 0) return undefined
  const lines = output.subarray(0, end).toString('latin1').split('\r\n')
  const pairs = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^([A-Za-z-]+): *(.*)$/.exec(line) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
  const status = pairs.find(([name]) => name.toLowerCase() === 'status')?.[1]
  return {
    head: {
      status: status === undefined ? 200 : Number.parseInt(status, 10),
      headers: pairs.filter(([name]) => passedHeaders.includes(name.toLowerCase())),
    },
    rest: output.subarray(end + 4),
  }
}
