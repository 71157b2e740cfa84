import { longText, shortText, unsigned } from './bytes.ts'

/** The token types of an answer, numbered as in [MS-TDS]. */

const none = Buffer.alloc(0)
const hasCount = 0x10
const isError = 0x02
const isMoreToCome = 0x01
const isCancelled = 0x20

/** The pre-login answer, which disables encryption. */
export const preLogin = Buffer.from([
  ...[0x00, 0, 11, 0, 6],
  ...[0x01, 0, 17, 0, 1, 0xff],
  ...[16, 0, 0, 0, 0, 0, 0x02],
])

/** Ends a batch. */
export function done({ count, failed = false }: Outcome = {}): Buffer {
  return doneToken(0xfd, (count === undefined ? 0 : hasCount) | (failed ? isError : 0), count)
}

export interface Outcome {
  readonly count?: number
  readonly failed?: boolean
}

/** Ends a procedure call. */
export function doneCall({ count, failed = false }: Outcome = {}): Buffer {
  const status = isMoreToCome | (count === undefined ? 0 : hasCount) | (failed ? isError : 0)
  const returned = Buffer.concat([unsigned(0x79, 1), unsigned(0, 4)])
  return Buffer.concat([doneToken(0xff, status, count), returned, doneToken(0xfe, 0)])
}

export const cancelled = doneToken(0xfd, isCancelled)

export const loggedIn = Buffer.concat([
  sized(0xad, [Buffer.from([1, 0x74, 0, 0, 4]), shortText('stand-in'), unsigned(0, 4)]),
  done(),
])

export function began(transaction: Buffer): Buffer {
  return Buffer.concat([environment(8, transaction, none), done()])
}

export function ended(how: 'commit' | 'rollback', transaction: Buffer): Buffer {
  return Buffer.concat([environment(how === 'commit' ? 9 : 10, none, transaction), done()])
}

/** An error with its number and text in sys.messages. */
export interface Fault {
  readonly number: number
  readonly text: string
}

export function faultToken({ number, text }: Fault): Buffer {
  const [state, severity] = [1, 16]
  return sized(0xaa, [
    unsigned(number, 4),
    Buffer.from([state, severity]),
    longText(text),
    shortText('stand-in'),
    shortText(''),
    unsigned(1, 4),
  ])
}

function environment(type: number, now: Buffer, before: Buffer): Buffer {
  const sizes = [now, before].flatMap((value) => [unsigned(value.length, 1), value])
  return sized(0xe3, [unsigned(type, 1), ...sizes])
}

function sized(token: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([unsigned(token, 1), unsigned(body.length, 2), body])
}

function doneToken(token: number, status: number, count = 0): Buffer {
  return Buffer.concat([
    unsigned(token, 1),
    unsigned(status, 2),
    unsigned(0, 2),
    unsigned(count, 8),
  ])
}
