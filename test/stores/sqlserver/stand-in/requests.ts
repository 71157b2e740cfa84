import { type Reader, readerOf } from './bytes.ts'
import type { Message } from './packets.ts'

/** A parsed client message. */
export type Asked =
  | { readonly kind: 'prelogin' }
  | { readonly kind: 'login'; readonly user: string; readonly database: string }
  | { readonly kind: 'batch'; readonly sql: string }
  /** `types` is the parameter declaration: `@P1 int, @P2 nvarchar(9)`. */
  | { readonly kind: 'call'; readonly sql: string; readonly types: string; readonly values: Values }
  | { readonly kind: 'begin'; readonly isolation: string }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback' }
  | { readonly kind: 'cancel' }

export type Values = Readonly<Record<string, Value>>
export type Value = string | number | bigint | boolean | null

/** Parses a message. Throws for requests that no emitted application should send. */
export function askedOf({ type, body }: Message): Asked {
  switch (type) {
    case 0x01:
      return { kind: 'batch', sql: withoutHeaders(body).toString('utf16le') }
    case 0x03:
      return callOf(readerOf(withoutHeaders(body)))
    case 0x06:
      return { kind: 'cancel' }
    case 0x0e:
      return transactionOf(readerOf(withoutHeaders(body)))
    case 0x10:
      return { kind: 'login', user: textAt(body, 40), database: textAt(body, 68) }
    case 0x12:
      return { kind: 'prelogin' }
    default:
      throw new Error(`a message of type ${type}`)
  }
}

/** Skips the transaction header. A connection has at most one transaction. */
function withoutHeaders(body: Buffer): Buffer {
  return body.subarray(body.readUInt32LE())
}

/** Reads a log-in text by its offset and length. */
function textAt(body: Buffer, at: number): string {
  const from = body.readUInt16LE(at)
  return body.subarray(from, from + body.readUInt16LE(at + 2) * 2).toString('utf16le')
}

const isolations = [
  'as it is',
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
  'snapshot',
]

function transactionOf(body: Reader): Asked {
  const request = body.number(2)
  if (request === 7) return { kind: 'commit' }
  if (request === 8) return { kind: 'rollback' }
  if (request !== 5) throw new Error(`transaction request ${request}`)
  return { kind: 'begin', isolation: isolations[body.number(1)] ?? 'unknown' }
}

const procedureByNumber = 0xffff
const executeSql = 10

function callOf(body: Reader): Asked {
  const [mark, procedure] = [body.number(2), body.number(2)]
  if (mark !== procedureByNumber || procedure !== executeSql)
    throw new Error('a call of another procedure than sp_executesql')
  body.take(2)
  const [statement, declaration, ...values] = parametersOf(body)
  return {
    kind: 'call',
    sql: String(statement?.[1]),
    types: String(declaration?.[1] ?? ''),
    values: Object.fromEntries(values),
  }
}

function parametersOf(body: Reader): readonly (readonly [name: string, value: Value])[] {
  const parameters: [string, Value][] = []
  while (!body.isAtEnd()) {
    const name = body.text(body.number(1)).replace(/^@/, '')
    body.take(1)
    parameters.push([name, parameterOf(body.number(1), body)])
  }
  return parameters
}

function parameterOf(type: number, body: Reader): Value {
  if (type === 0xe7) return textOf(body)
  body.take(1)
  const length = body.number(1)
  if (length === 0) return null
  const bytes = body.take(length)
  switch (type) {
    case 0x26:
      return length === 8 ? bytes.readBigInt64LE() : bytes.readIntLE(0, length)
    case 0x68:
      return bytes[0] === 1
    default:
      throw new Error(`a parameter of type 0x${type.toString(16)}`)
  }
}

const ofAnyLength = 0xffff
const nothing = 0xffff
const nothingOfAnyLength = 0xffff_ffff_ffff_ffffn

function textOf(body: Reader): string | null {
  const longest = body.number(2)
  body.take(5)
  if (longest !== ofAnyLength) {
    const bytes = body.number(2)
    return bytes === nothing ? null : body.text(bytes / 2)
  }
  if (body.take(8).readBigUInt64LE() === nothingOfAnyLength) return null
  const chunks: Buffer[] = []
  for (let bytes = body.number(4); bytes > 0; bytes = body.number(4)) chunks.push(body.take(bytes))
  return Buffer.concat(chunks).toString('utf16le')
}
