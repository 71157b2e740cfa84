import { accessOf } from '../model/access.ts'
import { uniqueGroupsOf } from '../model/field-groups.ts'
import { variableName } from '../model/identifiers.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import type { Forward } from '../model/relations.ts'
import { forbiddenChanges } from './access-view.ts'
import { enumConstant, type FieldView, fieldHelper } from './field-view.ts'
import type { ListView } from './list-view.ts'
import { literal } from './literal.ts'
import { byName } from './order.ts'
import { canBlockDelete, partsOf, type Relations } from './relation-view.ts'

/** Template data: zod schemas of one feature, and the conversion of records to JSON. */
export interface SchemaView {
  /** Fields of request bodies. */
  bodyFields: readonly FieldView[]
  /** Named imports from the domain, and from files of `src/http/`. */
  domainImports: string
  schemaHelpers: readonly { names: string; file: string }[]
  /** Features whose records are embedded in this feature's replies. */
  partSchemas: readonly { pascal: string; camel: string; kebab: string }[]
  createShape: string
  updateShape: string
  replyFields: readonly { name: string; zod: string }[]
  wireFields: readonly { name: string; code: string }[]
  /** Lists of parts, and their numbers. `type` is the type in the client. */
  wireParts: readonly { name: string; zod: string; type: string; code: string }[]
  /** Quoted and separated by commas. */
  readOnlyFields: string
  /** Optional properties of the argument of `docOf`. */
  docOptions: readonly string[]
  /** Named imports of the handler, and the names it uses. */
  handlerImports: string
  detailsToWire: string
}

export function schemaView(
  model: Model,
  feature: Feature,
  fields: readonly FieldView[],
  relations: Relations,
  list: ListView,
): SchemaView {
  const { entity } = feature
  const access = accessOf(model, feature)
  const { forward, many, children, owner } = relations
  const subject = variableName(entity.camel)
  const detailsToWire = children.length > 0 ? 'toWireWithParts' : 'toWire'
  const bodyFields = fields.filter(({ name }) => name !== owner?.field.name)
  const defaults = bodyFields.filter(({ zodDefault }) => zodDefault !== '')
  const keysOf = many.map(({ field, key }) => ({ name: field.name, zod: `${key}s()` }))
  const toWireOf = ({ entity: { pascal, camel } }: Feature) =>
    pascal === entity.pascal ? 'toWire' : `${camel}ToWire`
  return {
    bodyFields,
    domainImports: domainImports(feature, children.length > 0),
    schemaHelpers: [
      { names: 'docOf', file: 'crud-doc' },
      { names: helpersOf(feature, relations, list), file: 'fields' },
      { names: list.filterHelpers.join(', '), file: 'filters' },
      { names: forward.length > 0 ? 'components' : '', file: 'openapi' },
      { names: 'listOf, pageFields', file: 'paging' },
    ].filter(({ names }) => names !== ''),
    partSchemas: partsOf(feature, relations).map(({ entity: { pascal, camel, kebab } }) => ({
      pascal,
      camel,
      kebab,
    })),
    createShape: [
      '...fields',
      ...defaults.map(({ name, zodDefault }) => `${name}: fields.${name}${zodDefault}`),
      ...keysOf.map(({ name, zod }) => `${name}: ${zod}.default([])`),
    ].join(', '),
    updateShape:
      many.length === 0
        ? 'fields'
        : `{ ...fields, ${keysOf.map(({ name, zod }) => `${name}: ${zod}`).join(', ')} }`,
    replyFields: [
      ...fields.flatMap(({ name, replyZod }) => (replyZod ? [{ name, zod: replyZod }] : [])),
      ...(owner ? [{ name: owner.field.name, zod: id + nullable(owner.field) }] : []),
      ...forward.map((key) => ({ name: key.name, zod: summaryZod(key) })),
      ...many.map(({ field, target }) => ({
        name: field.name,
        zod: `z.array(${target.entity.camel}Reply)`,
      })),
    ],
    wireFields: [
      ...fields.flatMap(({ name, wire }) => [
        { name, code: wire },
        ...forward
          .filter(({ field }) => field.name === name)
          .map((key) => ({ name: key.name, code: summaryCode(key, subject) })),
      ]),
      ...many.map(({ field, target }) => ({
        name: field.name,
        code: `${subject}.${field.camel}.map(${toWireOf(target)})`,
      })),
    ],
    wireParts: children.flatMap(({ name, camel, child, by, total }) => [
      {
        name,
        zod: `z.array(${child.entity.camel}Reply.omit({ ${by.name}: true }))`,
        type: `Omit<${child.entity.pascal}Api['reply'], ${literal(by.name)}>[]`,
        code: partsCode(`${subject}.${camel}`, toWireOf(child), subject, by),
      },
      { name: total.name, zod: 'z.int()', type: 'number', code: `${subject}.${total.camel}` },
    ]),
    readOnlyFields: [
      'id',
      'created_at',
      'updated_at',
      ...(owner ? [owner.field.name] : []),
      ...forward.map(({ name }) => name),
      ...children.flatMap(({ name, total }) => [name, total.name]),
    ]
      .map(literal)
      .join(', '),
    docOptions: [
      ...(children.length > 0 ? ['details: replyWithParts'] : []),
      ...(access.reads === 'token' ? ["protect: 'all'"] : []),
      ...(access.reads === 'open' && access.writes !== 'open' ? ["protect: 'write'"] : []),
      `statuses: ${statusesOf(model, feature, relations)}`,
    ],
    handlerImports: [
      `create${entity.pascal}Body`,
      'readOnly',
      'toWire',
      `update${entity.pascal}Body`,
      `${entity.camel}List`,
      ...(children.length > 0 ? [detailsToWire] : []),
    ].join(', '),
    detailsToWire,
  }
}

/** Returns the statuses that not every collection has, by operation. */
function statusesOf(model: Model, feature: Feature, { forward }: Relations): string {
  const taken = uniqueGroupsOf(feature).length > 0 ? [409] : []
  const forbidden = forbiddenChanges(model, feature)
  const refused = (isForbidden: boolean) => (isForbidden ? [403] : [])
  const absent = forward.length > 0 ? [404] : []
  const blocked = canBlockDelete(model, feature) ? [409] : []
  const create = [...refused(forbidden.create), ...absent, ...taken].join(', ')
  const update = [...refused(forbidden.update), ...taken].join(', ')
  const remove = [...refused(forbidden.remove), ...blocked].join(', ')
  return `{ create: [${create}], update: [${update}], remove: [${remove}] }`
}

const id = 'z.int().positive()'

function nullable({ optional }: Field): string {
  return optional ? '.nullable()' : ''
}

function domainImports(feature: Feature, hasDetails: boolean): string {
  const { type, pascal } = feature.entity
  const types = [type, ...(hasDetails ? [`${pascal}Details`] : [])]
  const constants = feature.fields
    .filter((field) => field.type.kind === 'enum')
    .map((field) => enumConstant(feature, field))
  if (constants.length === 0) return `type { ${types.join(', ')} }`
  return `{ ${[...constants, ...types.map((name) => `type ${name}`)].join(', ')} }`
}

function helpersOf(
  { fields }: Feature,
  { many, owner }: Relations,
  { listFieldHelpers }: ListView,
): string {
  const helpers = new Set([
    ...fields
      .filter(({ name }) => name !== owner?.field.name)
      .map(({ type }) => fieldHelper[type.kind]),
    ...many.map(({ key }) => `${key}s`),
    ...listFieldHelpers,
  ])
  return [...helpers].filter(Boolean).sort(byName).join(', ')
}

function summaryZod({ label, field, target }: Forward): string {
  const members = label ? `id: ${id}, ${label.name}: z.string()` : `id: ${id}`
  // A private record may have a label in the replies of its parts, and none in other replies.
  const name = literal(`${target.entity.pascal}${label ? 'Summary' : 'Reference'}`)
  return `z.strictObject({ ${members} }).register(components, { id: ${name} })${nullable(field)}`
}

/** Returns code that converts a list of parts, and leaves the whole out of each part. */
function partsCode(list: string, toWire: string, whole: string, { name, camel }: Forward): string {
  const part = whole === 'part' ? 'row' : 'part'
  const assigned = camel === whole ? camel : `${camel}: ${whole}`
  return `${list}.map((${part}) => {
    const { ${name}: _${camel}, ...reply } = ${toWire}({ ...${part}, ${assigned} })
    return reply
  })`
}

/** Returns the summary unchanged if its JSON names equal its domain names. */
function summaryCode({ camel, label, field }: Forward, subject: string): string {
  const value = `${subject}.${camel}`
  if (label === undefined || label.name === label.camel) return value
  const members = `{ id: ${value}.id, ${label.name}: ${value}.${label.camel} }`
  return field.optional ? `${value} && ${members}` : members
}
