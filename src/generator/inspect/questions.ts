import { narrowingsBetween } from '../migrate/narrowings.ts'
import { entitiesOf } from '../model/entities.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { storeOf } from '../stores/stores.ts'
import { documentQuestions } from './document-questions.ts'
import type { Asked, Effect, Question, RecordTest } from './question.ts'
import { tableQuestions } from './table-questions.ts'
import type { ValueRule } from './value-rule.ts'

/** The models of a change. */
export interface ModelsOfChange {
  /** The model of the database before the change, with the tables and columns that it retains. */
  readonly from: Model
  /** The model of the database after the change. */
  readonly database: Model
  /** The model of the code after the change. */
  readonly after: Model
}

/** Lists what stored records decide about a change: which values it loses, and which records stop it. */
export function questionsOf({ from, database, after }: ModelsOfChange): readonly Question[] {
  const words = wordsOf(from, database)
  if (from.database !== after.database)
    return keptEntities({ ...from, features: entitiesOf(from) }, []).map(words)
  const isRelational = storeOf(from).losses === undefined
  const questions = isRelational
    ? tableQuestions(from, database)
    : documentQuestions(from, database)
  const gone = isRelational
    ? keptEntities(withoutTables(from, database), after.features)
    : keptEntities(from, after.features)
  const asked = [...gone, ...questions]
  const isAsked = ({ table, test }: Asked) =>
    asked.some((other) => other.table === table && sameValues(other.test, test))
  const narrowed = narrowQuestions(from, database).filter((each) => !isAsked(each))
  return [...asked, ...narrowed].map(words)
}

/** Counts the records whose collection or fields change their name. Features and fields match by position. */
export function renameQuestions(from: Model, to: Model): readonly Question[] {
  const renamed = from.features.filter(({ entity, fields, many }, at) => {
    const next = to.features[at]
    const names = (list: readonly { name: string }[] = []) => list.map(({ name }) => name).join()
    return (
      next?.entity.plural.snake !== entity.plural.snake ||
      names(next?.fields) !== names(fields) ||
      names(next?.many) !== names(many)
    )
  })
  const asked = renamed.map(
    ({ entity }): Asked => ({
      table: entity.plural.snake,
      test: { kind: 'all' },
      effect: 'renamed',
    }),
  )
  return asked.map(wordsOf(from))
}

/** A stored table that the next database does not have is dropped, not kept. */
function withoutTables(from: Model, database: Model): Model {
  const isThere = ({ entity }: Feature) =>
    database.features.some((each) => each.entity.pascal === entity.pascal)
  return { ...from, features: from.features.filter(isThere) }
}

/** Counts the records of entities that the code no longer has. */
function keptEntities({ features }: Model, left: readonly Feature[]): readonly Asked[] {
  return features
    .filter(({ entity }) => !left.some((each) => each.entity.pascal === entity.pascal))
    .map(({ entity }) => ({
      table: entity.plural.snake,
      test: { kind: 'all' },
      effect: 'kept' as Effect,
    }))
}

/** A field with a narrower rule keeps its values, which can't be written again. */
function narrowQuestions(from: Model, to: Model): readonly Asked[] {
  return narrowingsBetween(from, to).flatMap(({ table, field, rule }): Asked[] => {
    const found = to.features
      .find(({ entity }) => entity.plural.snake === table)
      ?.fields.find(({ name }) => name === field)
    const test = found && ruleOf(rule, found)
    if (test === undefined) return []
    return [{ table, test: { kind: 'unfit', column: field, rule: test }, effect: 'unchanged' }]
  })
}

function ruleOf(
  rule: ReturnType<typeof narrowingsBetween>[number]['rule'],
  { type }: Field,
): ValueRule | undefined {
  if (rule.kind !== 'digits') return rule
  return type.kind === 'decimal' ? type : undefined
}

/** Returns true if two tests judge the same values by the same kind of rule. */
function sameValues(one: RecordTest, other: RecordTest): boolean {
  if (one.kind !== 'unfit' || other.kind !== 'unfit') return false
  return one.column === other.column && one.rule.kind === other.rule.kind
}

/** Returns the function that adds the words for the records of a table. */
function wordsOf(...models: readonly Model[]): (asked: Asked) => Question {
  const words = new Map(
    models.flatMap((model) =>
      entitiesOf(model).flatMap((feature) => [
        [feature.entity.plural.snake, [feature.entity.words, feature.entity.plural.words]] as const,
      ]),
    ),
  )
  return (asked) => ({ ...asked, words: words.get(asked.table) ?? ['row', 'rows'] })
}
