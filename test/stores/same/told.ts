import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './player.ts'
import type { Step } from './steps.ts'

/** What two applications answered to one request. */
export interface Exchange {
  readonly step: Step
  readonly answers: readonly [Answer, Answer]
}

/** Whether the two say the same, and neither failed. Where several values are taken, they may name any. */
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

/** The requests that came before, and the two answers to the last. */
export function tell(exchanges: readonly Exchange[], names: readonly string[]): string {
  const last = exchanges.at(-1)
  if (last === undefined) return ''
  const before = exchanges
    .slice(0, -1)
    .map(({ step, answers: [{ status }] }) => `${tellStep(step)} → ${status}`)
  const width = Math.max(...names.map(({ length }) => length))
  const said = last.answers.map(
    (answer, at) => `  ${(names[at] ?? '').padEnd(width)}  ${tellAnswer(answer, last)}`,
  )
  return [...before, tellStep(last.step), ...said].join('\n')
}

function tellStep({ beside = [], ...step }: Step): string {
  const { method, path, body = '', as } = step
  if (beside.length > 0) return `at once: ${[step, ...beside].map(tellStep).join(' | ')}`
  const who = as === undefined ? 'nobody' : ['Ada', 'Eve'][as]
  return `${who}: ${method} ${cut(path)} ${cut(body)}`.trimEnd()
}

/** Headers only where they differ. */
function tellAnswer(
  { status, headers, body }: Answer,
  { answers: [one, other] }: Exchange,
): string {
  const areSame = isDeepStrictEqual(one.headers, other.headers)
  return `${status} ${cut(printed(body))}${areSame ? '' : ` ${JSON.stringify(headers)}`}`
}

/** JSON, in which -0 is not 0 and what stands for an id has no quotes. */
function printed(body: unknown): string {
  const text = JSON.stringify(body, (_, value: unknown) => (Object.is(value, -0) ? '<-0>' : value))
  return text.replaceAll(/"(<[^">]+>)"/g, '$1')
}

function cut(text: string): string {
  return text.length <= 1_500 ? text : `${text.slice(0, 1_500)}… (${text.length} characters)`
}
