import { entitiesOf } from '../model/entities.ts'
import type { FieldKind } from '../model/field-kinds.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import { isCompatible } from '../stores/document/losses.ts'
import type { Asked, RecordTest } from './question.ts'
import type { ValueFormat } from './value-rule.ts'

/** Lists the questions about a change of a kind that stores documents. */
export function documentQuestions(from: Model, to: Model): readonly Asked[] {
  return to.features.flatMap((after) => {
    const before = from.features.find(({ entity }) => entity.pascal === after.entity.pascal)
    if (before === undefined) return []
    return [
      ...droppedFields(before, after),
      ...droppedLists(before, after),
      ...after.fields.flatMap((field) => fieldQuestions(to, before, after, field)),
      ...sharedGroups(before, after),
    ]
  })
}

function droppedFields(before: Feature, { entity, fields }: Feature): readonly Asked[] {
  return before.fields
    .filter(({ name }) => !fields.some((field) => field.name === name))
    .map(({ name }) => ({
      table: entity.plural.snake,
      test: { kind: 'present', column: name },
      effect: 'unread',
    }))
}

function droppedLists(before: Feature, { entity, many }: Feature): readonly Asked[] {
  return before.many
    .filter(({ name }) => !many.some((list) => list.name === name))
    .map(({ name }) => ({
      table: entity.plural.snake,
      test: { kind: 'links', relation: `${entity.plural.snake}.${name}`, column: name },
      effect: 'unread',
    }))
}

function fieldQuestions(
  model: Model,
  before: Feature,
  { entity }: Feature,
  field: Field,
): readonly Asked[] {
  const { name: column } = field
  const old = before.fields.find(({ name }) => name === column)
  const isRequired = !field.optional && field.default === undefined
  const tests: RecordTest[] = []
  if (!old) return isRequired ? [refused({ kind: 'all', column })] : []
  if (!isCompatible(old, field)) {
    const rule = { kind: 'format', format: formatOf(field.type.kind) } as const
    tests.push({ kind: 'unfit', column, rule })
  }
  if (old.optional && isRequired) tests.push({ kind: 'missing', column })
  const folds = field.type.kind === 'email'
  if (field.unique && !old.unique) tests.push({ kind: 'shared', columns: [column], folds })
  return [...tests.map(refused), ...retargeted(model, entity.plural.snake, old, field)]

  function refused(test: RecordTest): Asked {
    return { table: entity.plural.snake, test, effect: 'refused' }
  }
}

/** PostgreSQL checks the references of documents; the apps of other kinds leave a dangling reference out. */
function retargeted(model: Model, table: string, old: Field, field: Field): readonly Asked[] {
  const name = field.references?.target
  const found = entitiesOf(model).find(({ entity }) => entity.pascal === name)
  if (!found || old.references?.target === name) return []
  const test = { kind: 'dangling', column: field.name, target: found.entity.plural.snake } as const
  return [{ table, test, effect: model.database === 'postgres-json' ? 'refused' : 'unread' }]
}

/** Returns the form of stored values. Texts of another form are valid texts, which the narrower rules ask about. */
function formatOf(kind: FieldKind): ValueFormat {
  switch (kind) {
    case 'int':
    case 'uint':
      return 'whole'
    case 'float':
      return 'number'
    case 'bool':
    case 'date':
    case 'datetime':
    case 'decimal':
      return kind
    default:
      return 'text'
  }
}

function sharedGroups(before: Feature, after: Feature): readonly Asked[] {
  const { unique = [], entity, fields } = after
  const known = (before.unique ?? []).map(String)
  const isStored = (name: string) => before.fields.some((field) => field.name === name)
  return unique
    .filter((group) => !known.includes(String(group)) && group.every(isStored))
    .map((columns) => ({
      table: entity.plural.snake,
      test: {
        kind: 'shared',
        columns,
        folds: fields.some(({ name, type }) => columns.includes(name) && type.kind === 'email'),
      },
      effect: 'refused',
    }))
}
