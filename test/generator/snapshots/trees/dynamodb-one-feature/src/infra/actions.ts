import { isDeepStrictEqual } from 'node:util'
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Entry } from './entries.js'
import { type Item, internal } from './item.js'
import { recordKey } from './keys.js'

type TableAction = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** An action of a transaction, without the table's name. */
type Action = {
  [Verb in keyof TableAction]: Omit<NonNullable<TableAction[Verb]>, 'TableName'>
}

export function inTable(TableName: string, action: Action): TableAction {
  const entries = Object.entries(action).map(([verb, input]) => [verb, { TableName, ...input }])
  return Object.fromEntries(entries)
}

/** Returns the action that inserts, changes or removes a record. The action fails if the record has changed since. */
export function recordAction(
  name: string,
  old: Item | undefined,
  record: Item | undefined,
): Action {
  if (!old) return insertion(name, { ...record })
  const Key = recordKey(name, Number(old.id))
  return record
    ? { Update: { Key, ...changeOf(old, record) } }
    : { Delete: { Key, ...ifUnchanged(old) } }
}

/**
 * Returns the action that writes an index entry. The action fails if another record has the unique
 * value.
 */
export function putAction({ key, attributes, unique }: Entry): Action {
  const Item = { ...key, ...attributes }
  if (!unique) return { Put: { Item } }
  return {
    Put: {
      Item,
      ConditionExpression: 'attribute_not_exists(PK) OR #id = :id',
      ExpressionAttributeNames: { '#id': 'id' },
      ExpressionAttributeValues: { ':id': attributes.id },
    },
  }
}

function insertion(name: string, record: Item): Action {
  const Item = { ...recordKey(name, Number(record.id)), ...record, [internal.version]: 1 }
  return { Put: { Item, ConditionExpression: 'attribute_not_exists(PK)' } }
}

/** Returns the update from `old` to `record`. All names are `#` placeholders: DynamoDB reserves many words. */
function changeOf(old: Item, record: Item) {
  const changed = Object.keys({ ...old, ...record }).filter(
    (each) => !isDeepStrictEqual(old[each], record[each]),
  )
  const set = changed.filter((each) => record[each] !== undefined)
  const removed = changed.filter((each) => record[each] === undefined)
  const sets = [...set, internal.version].map((each) => `#${each} = :${each}`).join(', ')
  const removes = removed.map((each) => `#${each}`).join(', ')
  return {
    UpdateExpression: `SET ${sets}${removes && ` REMOVE ${removes}`}`,
    ConditionExpression: `#${internal.version} = :SEEN`,
    ExpressionAttributeNames: namesFor([...changed, internal.version]),
    ExpressionAttributeValues: {
      ...valuesFor(set, record),
      [`:${internal.version}`]: Number(old[internal.version]) + 1,
      ':SEEN': old[internal.version],
    },
  }
}

/** Returns the condition that the version and the removal mark of a record are unchanged. */
function ifUnchanged(old: Item) {
  const names = [internal.version, internal.mark].filter((each) => old[each] !== undefined)
  return {
    ConditionExpression: names.map((each) => `#${each} = :${each}`).join(' AND '),
    ExpressionAttributeNames: namesFor(names),
    ExpressionAttributeValues: valuesFor(names, old),
  }
}

function namesFor(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]))
}

function valuesFor(names: readonly string[], item: Item): Item {
  return Object.fromEntries(names.map((name) => [`:${name}`, item[name]]))
}
