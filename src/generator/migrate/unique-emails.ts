import { family } from './retype.ts'
import type { TableChange } from './table-change.ts'
import type { Column, Table } from './tables.ts'

/**
 * Lists the columns that become unique addresses and keep their values. The app stores unique addresses in lower case, so
 * the stored values must become lower case, too.
 */
export function newUniqueEmails({ from, to, altered }: TableChange): readonly Column[] {
  const before = uniqueEmails(from).map(({ name }) => name)
  const isKept = ({ name }: Column) =>
    from.columns.some((column) => column.name === name && family(column) === 'text') &&
    altered.every((change) => change.to.name !== name || change.keepsValues)
  return uniqueEmails(to).filter((column) => !before.includes(column.name) && isKept(column))
}

function uniqueEmails({ indexes }: Table): readonly Column[] {
  return indexes.flatMap(({ unique, columns: [column, ...others] }) =>
    unique && column.type.kind === 'email' && others.length === 0 ? [column] : [],
  )
}
