import { type Answer, columnsOf, type Effect, type Question, type RecordTest } from './question.ts'
import type { ValueRule } from './value-rule.ts'

/** An answered question, for a person and for a program. */
export interface Fact {
  readonly table: string
  readonly columns: readonly string[]
  readonly count: number
  /** The number of records that were read. */
  readonly total: number
  /** False if the time limit ended the search: the numbers are those of the records read until then. */
  readonly complete: boolean
  readonly effect: Effect
  /** `3 of 120 posts have a title longer than 80 characters: …` */
  readonly sentence: string
}

/** Returns the fact of an answer. */
export function factOf(subject: string, question: Question, answer: Answer): Fact {
  const { table, test, effect } = question
  const columns = test.kind === 'all' && test.column !== undefined ? [test.column] : columnsOf(test)
  const { count, total, isComplete } = answer
  const sentence = sentenceOf(subject, question, answer)
  return { table, columns, count, total, complete: isComplete, effect, sentence }
}

/** Returns the sentence of an answer. `command` is the subject of a dropped table: `remove drops 40 rows of books`. */
export function sentenceOf(command: string, question: Question, answer: Answer): string {
  const { test, effect } = question
  if (answer.total === 0 && !answer.isComplete)
    return `the time limit ended before the records of ${question.table} were read`
  const limit = answer.isComplete ? '' : ' (the time limit ended the search)'
  if (test.kind === 'links') return `${linksSentence(command, test, effect, answer.count)}${limit}`
  if (test.kind === 'all' && test.column === undefined) {
    const rows = `${answer.count} ${answer.count === 1 ? 'row' : 'rows'} of ${question.table}`
    const verb = answer.count === 1 ? 'stays' : 'stay'
    if (effect === 'renamed') return `${command} keeps ${rows}`
    return `${effect === 'dropped' ? `${command} drops ${rows}` : `${rows} ${verb} in the store`}${limit}`
  }
  const end = answer.count === 0 ? '' : effects[effect]
  return `${subject(question, answer)} ${predicate(test, answer.count)}${limit}${end}`
}

function linksSentence(
  command: string,
  { relation }: { readonly relation: string },
  effect: Effect,
  count: number,
): string {
  const links = `${count} ${count === 1 ? 'link' : 'links'} of ${relation}`
  if (effect === 'dropped') return `${command} drops ${links}`
  return `${links} ${count === 1 ? 'stays' : 'stay'} in the store, unread`
}

function subject({ words: [one, many], test }: Question, { count, total, isComplete }: Answer) {
  if (total === 0) return `no ${many} exist yet, so none`
  const all = isComplete ? `${total} ${many}` : `the first ${total} ${many}`
  if (test.kind === 'all') return `${count} ${count === 1 ? one : many}`
  return count === 0 ? `none of ${all}` : `${count} of ${all}`
}

function predicate(test: RecordTest, count: number): string {
  const isPlural = count > 1
  const have = isPlural ? 'have' : 'has'
  switch (test.kind) {
    case 'all':
      return `${have} no ${label(test.column ?? '')}`
    case 'missing':
      return `${have} no ${label(test.column)}`
    case 'present':
      return `${have} ${withArticle(label(test.column))}`
    case 'unfit':
      return `${have} ${withArticle(label(test.column))} ${ruleWords(test.rule)}`
    case 'shared':
      return `${have} the same ${test.columns.map(label).join(' and ')} as another`
    case 'dangling':
      return `${have} ${withArticle(label(test.column))} that is not an id of ${test.target}`
    case 'links':
      return ''
  }
}

function ruleWords(rule: ValueRule): string {
  switch (rule.kind) {
    case 'max-length':
      return `longer than ${rule.limit} ${rule.limit === 1 ? 'character' : 'characters'}`
    case 'min-length':
      return `shorter than ${rule.limit} ${rule.limit === 1 ? 'character' : 'characters'}`
    case 'max':
      return `above ${rule.limit}`
    case 'min':
      return `below ${rule.limit}`
    case 'one-of':
      return `other than ${rule.values.join(', ')}`
    case 'format':
      return `that is not ${formats[rule.format]}`
    case 'decimal':
      return `with more digits than decimal(${rule.precision},${rule.scale})`
    case 'whole':
      return 'that is not a whole number'
    case 'midnight':
      return 'with a time of day'
  }
}

const formats = {
  email: 'an email address',
  uuid: 'a UUID',
  number: 'a number',
  whole: 'a whole number',
  decimal: 'a decimal',
  bool: 'true or false',
  date: 'a date',
  datetime: 'a time',
  text: 'a text',
} as const

/** The consequence, after the count. */
const effects: Readonly<Record<Effect, string>> = {
  dropped: '',
  kept: '',
  renamed: '',
  lost: ', which is lost',
  unread: ', which stays in the store, unread',
  cut: ', which is cut',
  refused: ": the app can't start until they are changed",
  unchanged: ', which stays, and is refused when it is written again',
}

function label(column: string): string {
  return column.replaceAll('_', ' ')
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`
}
