import { tablesOf } from '../../../../src/generator/migrate/tables.ts'
import type { Field, Model } from '../../../../src/generator/model/model.ts'

/**
 * Returns statements that insert three rows into each table, with values in the format of the emitted application.
 * A key refers to the row of the same number, in any order of the tables.
 */
export function fill(model: Model): string {
  const unchecked =
    model.database === 'postgres' ? 'SET LOCAL session_replication_role = replica;' : ''
  return [unchecked, rows(model), links(model)].join('\n')
}

function links(model: Model): string {
  return tablesOf(model)
    .filter(({ isJoin }) => isJoin)
    .map(({ name }) => `INSERT INTO "${name}" ("A", "B") VALUES (1, 1), (1, 3), (2, 3);\n`)
    .join('')
}

function rows(model: Model): string {
  return model.features
    .flatMap(({ entity, fields }) =>
      [1, 2, 3].map((row) => {
        const names = [...fields.map(({ name }) => name), 'created_at', 'updated_at']
        const values = fields.map((field) =>
          field.optional && row === 3 ? 'NULL' : value(field, row),
        )
        const at = instant(model, `2026-11-20T10:00:0${row}.000Z`)
        const columns = names.map((name) => `"${name}"`).join(', ')
        return `INSERT INTO "${entity.plural.snake}" (${columns}) VALUES (${[...values, at, at].join(', ')});\n`
      }),
    )
    .join('')

  function value({ type }: Field, row: number): string {
    switch (type.kind) {
      case 'string':
      case 'text':
        return `'t${row}'`
      case 'int':
      case 'uint':
        return `${row}`
      case 'decimal':
        return type.scale === 0 ? `${row}` : `${row}.25`
      case 'float':
        return `${row}.5`
      case 'bool':
        return row === 1 ? 'true' : 'false'
      case 'date':
        return instant(model, `2026-01-0${row}T00:00:00.000Z`)
      case 'datetime':
        return instant(model, `2026-01-0${row}T04:05:06.789Z`)
      case 'uuid':
        return `'0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c${row}'`
      case 'json':
        return `'{"row":${row}}'`
      case 'email':
        return `'a${row}@b.example'`
      case 'enum':
        return `'${type.values[0]}'`
    }
  }
}

function instant(model: Model, iso: string): string {
  return model.database === 'sqlite' ? `'${iso.replace('Z', '+00:00')}'` : `'${iso}'`
}
