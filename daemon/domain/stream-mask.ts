/** Replaces secret values in a stream of bytes, also values that two chunks share. */
export interface StreamMask {
  /** Returns the bytes that can be shown now. Keeps the end of `chunk` back while it may be the begin of a secret. */
  push(chunk: Uint8Array): Uint8Array
  /** Returns the bytes that `push` kept back. */
  flush(): Uint8Array
}

/** Shorter values match ordinary words. */
const minLength = 6
const mask = '[redacted]'

/** Creates the mask of some secrets and of the single lines of a secret with several lines. */
export function createStreamMask(secrets: readonly string[]): StreamMask {
  const needles = secrets
    .flatMap((secret) => [secret, ...secret.split(/\r?\n/)])
    .filter((secret) => secret.length >= minLength)
    // One character for each byte, so that a chunk may end inside a character.
    .map((secret) => Buffer.from(secret).toString('latin1'))
    .sort((a, b) => b.length - a.length)
  if (needles.length === 0) return { push: (chunk) => chunk, flush: () => new Uint8Array() }
  const longest = needles[0]?.length ?? 0
  const pattern = new RegExp(needles.map(escaped).join('|'), 'g')
  let rest = ''

  /** Returns the places from which the text may be continued to a secret, in ascending order. */
  function openPlaces(text: string): number[] {
    const places: number[] = []
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
      const end = text.slice(at)
      if (needles.some((needle) => needle.length > end.length && needle.startsWith(end))) {
        places.push(at)
      }
    }
    return places
  }

  function masked(text: string, places: readonly number[]): { shown: string; at: number } {
    let shown = ''
    for (let at = 0; ; ) {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      const limit = places.find((place) => place >= at) ?? text.length
      if (!found || found.index >= limit) return { shown: shown + text.slice(at, limit), at: limit }
      shown += text.slice(at, found.index) + mask
      at = found.index + found[0].length
    }
  }

  return {
    push(chunk) {
      const text = rest + Buffer.from(chunk).toString('latin1')
      const { shown, at } = masked(text, openPlaces(text))
      rest = text.slice(at)
      return Buffer.from(shown, 'latin1')
    },
    flush() {
      const { shown } = masked(rest, [])
      rest = ''
      return Buffer.from(shown, 'latin1')
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
