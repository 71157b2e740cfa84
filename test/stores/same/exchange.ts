import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './player.ts'
import type { Step } from './steps.ts'

/** A request and the answers of both applications. */
export interface Exchange {
  readonly step: Step
  readonly answers: readonly [Answer, Answer]
}

/** Returns whether the answers agree and none is a 5xx. If several values are taken, each may name another field. */
export function isSame({ step, answers: [one, other] }: Exchange): boolean {
  if (one.status >= 500) return false
  if (isDeepStrictEqual(one, other)) return true
  const taken = [one, other].map(({ status, body }) => (status === 409 ? takenOf(body) : undefined))
  return taken.every((name) => name !== undefined && isSent(name, step))
}

function takenOf(body: unknown): string | undefined {
  return /^{"error":"(\w+) is already taken"}$/.exec(JSON.stringify(body))?.[1]
}

function isSent(name: string, { body = '' }: Step): boolean {
  return body === '<last>' || body.includes(`"${name}":`)
}

/** Formats all requests with their statuses, and both answers to the last request. */
export function formatExchanges(exchanges: readonly Exchange[], names: readonly string[]): string {
  const last = exchanges.at(-1)
  if (last === undefined) return ''
  const before = exchanges
    .slice(0, -1)
    .map(({ step, answers: [{ status }] }) => `${formatStep(step)} → ${status}`)
  const width = Math.max(...names.map(({ length }) => length))
  const said = last.answers.map(
    (answer, at) => `  ${(names[at] ?? '').padEnd(width)}  ${formatAnswer(answer, last)}`,
  )
  return [...before, formatStep(last.step), ...said].join('\n')
}

function formatStep({ concurrent = [], ...step }: Step): string {
  const { method, path, body = '', as } = step
  if (concurrent.length > 0) return `at once: ${[step, ...concurrent].map(formatStep).join(' | ')}`
  const who = as === undefined ? 'nobody' : ['Ada', 'Eve'][as]
  return `${who}: ${method} ${cut(path)} ${cut(body)}`.trimEnd()
}

/** Formats an answer, with its headers if the headers of the two answers differ. */
function formatAnswer(
  { status, headers, body }: Answer,
  { answers: [one, other] }: Exchange,
): string {
  const areSame = isDeepStrictEqual(one.headers, other.headers)
  return `${status} ${cut(printed(body))}${areSame ? '' : ` ${JSON.stringify(headers)}`}`
}

/** Formats as JSON, with -0 marked and placeholders without quotes. */
function printed(body: unknown): string {
  const text = JSON.stringify(body, (_, value: unknown) => (Object.is(value, -0) ? '<-0>' : value))
  return text.replaceAll(/"(<[^">]+>)"/g, '$1')
}

function cut(text: string): string {
  return text.length <= 1_500 ? text : `${text.slice(0, 1_500)}… (${text.length} characters)`
}
