import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Entry } from './entries.js'
import { type Item, internal } from './item.js'
import { recordKey } from './keys.js'

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

/** Returns the action that inserts, replaces or removes a record. The action fails if the record has changed since. */
export function recordAction(
  TableName: string,
  name: string,
  old: Item | undefined,
  record: Item | undefined,
): Action {
  const Key = recordKey(name, Number({ ...old, ...record }.id))
  const seen = old?.[internal.version]
  const condition = old
    ? {
        ConditionExpression: '#version = :seen',
        ExpressionAttributeNames: { '#version': internal.version },
        ExpressionAttributeValues: { ':seen': seen },
      }
    : { ConditionExpression: 'attribute_not_exists(PK)' }
  if (!record) return { Delete: { TableName, Key, ...condition } }
  const next = { ...record, ...Key, [internal.version]: Number(seen ?? 0) + 1 }
  return { Put: { TableName, Item: next, ...condition } }
}

/** Returns the action that writes an index entry. The action fails if another record has the unique value. */
export function putAction(TableName: string, { key, attributes, unique }: Entry): Action {
  const Item = { ...key, ...attributes }
  if (!unique) return { Put: { TableName, Item } }
  return {
    Put: {
      TableName,
      Item,
      ConditionExpression: 'attribute_not_exists(PK) OR #id = :id',
      ExpressionAttributeNames: { '#id': 'id' },
      ExpressionAttributeValues: { ':id': attributes.id },
    },
  }
}
