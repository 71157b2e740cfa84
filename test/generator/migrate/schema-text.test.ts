import { format, validate } from '@prisma/prisma-schema-wasm'
import { expect, test } from 'vitest'
import { prismaSchema } from '../../../src/generator/migrate/prisma-schema.ts'
import { blog, everything, modelOf } from '../../support/generator/migrate/migrate.ts'

const kinds = ['sqlite', 'postgres', 'mysql', 'sqlserver'] as const

test.each(kinds)('Prisma accepts the schema of a %s project and would not reformat it', (kind) => {
  const long = 'a_field_with_quite_a_long_name:enum(a|b):optional:default=a:index,x:bool'
  const models = [
    everything(kind),
    blog(kind),
    modelOf(kind, { A: 'x:bool', Order: long }),
    modelOf(kind, {}),
  ]
  for (const model of models) {
    const schema = prismaSchema(model)
    validate(JSON.stringify({ prismaSchema: [['schema.prisma', schema]], noColor: true }))
    expect(formatted(schema)).toEqual([['schema.prisma', schema]])
  }
})

function formatted(schema: string): unknown {
  const options = { tabSize: 2, insertSpaces: true }
  const textDocument = { uri: 'file:/schema.prisma' }
  return JSON.parse(
    format(JSON.stringify([['schema.prisma', schema]]), JSON.stringify({ textDocument, options })),
  )
}
