import type { Model } from '../../generator/model/model.ts'
import { ormKinds, type StoreKind } from '../../generator/model/store-kinds.ts'
import { parseOrm } from '../../generator/spec/parse-orm.ts'
import type { ChangeOptions, ModelChange } from './change-project.ts'
import type { Project } from './project.ts'
import { requireWrittenModel } from './written-model.ts'

export interface StoreOptions extends ChangeOptions {
  install: boolean
  orm?: string
  /** Copies the data, to the store with the URL `to`. */
  copy?: boolean
  to?: string
}

/** Returns the change of the model that moves a project to another kind of store. */
export function moveTo(database: StoreKind, { orm }: StoreOptions) {
  return (project: Project, declared: Model): ModelChange => {
    const before = requireWrittenModel(project, declared, [])
    return { before, after: movedTo(before, database, orm), requested: [] }
  }
}

/** Returns the model of another kind. Keeps the query library, unless the kind has none. */
function movedTo({ orm: previous, ...model }: Model, database: StoreKind, given?: string): Model {
  const isRelational = ormKinds.prisma.includes(database)
  const orm = parseOrm(given ?? (isRelational ? previous : undefined), database)
  return { ...model, database, ...(orm && { orm }) }
}
