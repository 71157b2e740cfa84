import type { Duplex } from 'node:stream'
import * as z from 'zod'
import type { GitPush, PushedRef, RefAnswer } from '../ports.ts'
import { createPacketReader, encodePacket, flush } from './packets.ts'

/** Refs of one push. A larger push is refused as a whole. */
const maxRefs = 1_000

const objectId = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)

/**
 * Serves the protocol of git's `proc-receive` hook: reads the refs of a push, and writes an answer for each. Resolves
 * when the answers are written, or the hook ends without a push. Throws Error for a malformed message.
 */
export async function serveProcReceive(
  hook: Duplex,
  receive: (push: GitPush) => Promise<readonly RefAnswer[]>,
): Promise<void> {
  const next = createPacketReader(hook)
  const version = await next()
  if (version === undefined) return
  const [name, features = ''] = version === flush ? [] : version.split('\0')
  if (name !== 'version=1' || (await next()) !== flush) throw new Error('unknown hook protocol')
  hook.write(Buffer.concat([encodePacket('version=1'), encodePacket(flush)]))
  const refs: PushedRef[] = []
  for (let packet = await next(); packet !== flush; packet = await next()) {
    if (packet === undefined) return
    refs.push(parseRef(packet))
    if (refs.length > maxRefs) throw new Error(`more than ${maxRefs} refs in one push`)
  }
  const answers = await receive({ refs, isAtomic: features.split(' ').includes('atomic') })
  const lines = answers.map(({ ref, refusal }) =>
    encodePacket(refusal === undefined ? `ok ${ref}` : `ng ${ref} ${oneLine(refusal)}`),
  )
  hook.end(Buffer.concat([...lines, encodePacket(flush)]))
}

/** Parses `<old id> <new id> <ref>`. */
function parseRef(line: string): PushedRef {
  const [oldId, newId, ...names] = line.split(' ')
  return { oldId: objectId.parse(oldId), newId: objectId.parse(newId), ref: names.join(' ') }
}

/** git prints the reason in the line of the ref. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 1_000)
}
