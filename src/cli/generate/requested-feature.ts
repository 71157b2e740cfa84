import { StrataError } from '../../generator/errors.ts'
import { createFeature } from '../../generator/model/build.ts'
import type { Feature } from '../../generator/model/model.ts'
import { entityNames } from '../../generator/model/names.ts'
import { parseAliases, parseProtection, parseSearch } from '../../generator/spec/feature-options.ts'
import { editFields, parseDropped } from '../../generator/spec/field-edit.ts'
import {
  assertGroupsKept,
  assertNotGrouped,
  parseGroups,
} from '../../generator/spec/field-groups.ts'
import {
  type FieldLists,
  parseAddedFields,
  parseFieldArgs,
  parseFieldList,
} from '../../generator/spec/field-list.ts'
import { didYouMean } from '../../generator/spec/nearest.ts'

/** The options of `strata feature` that describe the feature. */
export interface RequestOptions {
  fields?: string
  add?: string[]
  drop?: string[]
  plural?: string
  search?: string
  protect?: string
  owner?: string
  private?: boolean
  unique?: string[]
  index?: string[]
  alias?: string
}

/** The feature that a command line requests. */
export interface Request {
  /** The entity in PascalCase. */
  readonly pascal: string
  /**
   * Returns the whole feature. Keeps the fields and options of `existing` that the command line omits. Throws `usage` if
   * the command line changes a feature that does not exist; `known` lists the entities for the message.
   */
  readonly feature: (existing: Feature | undefined, known: readonly string[]) => Feature
  /** True if a list of fields replaces all fields of an existing feature. */
  readonly replacesFields: boolean
}

/** Reads the arguments of `strata feature`. Throws `usage` for each fault that needs no project. */
export function readRequest(
  entity: string,
  args: readonly string[],
  options: RequestOptions,
): Request {
  const { plural } = options
  const names = entityNames(entity, plural === undefined ? {} : { plural })
  const list = readList(args, options)
  const edit = readEdit(options)
  if (list !== undefined && edit !== undefined) {
    throw new StrataError(
      'usage',
      'a list of fields replaces all fields: pass it alone, or change single fields with --add and --drop',
    )
  }
  if (list === undefined && edit === undefined && !changesOptions(options)) parseFieldArgs([])
  const given = options.protect === undefined ? undefined : parseProtection(options.protect)
  if (list !== undefined) {
    searchOf(options, list)
    groupsOf(options, { ...list, owner: options.owner })
  }
  return {
    pascal: names.pascal,
    replacesFields: list !== undefined,
    feature(existing, known) {
      const lists = list ?? editedLists(names.pascal, existing, known, edit)
      const isEdited = list === undefined
      const search = searchOf(options, lists) ?? existing?.search ?? []
      const owner = options.owner ?? existing?.owner
      const isPrivate = options.private ?? (options.owner !== 'none' && existing?.private === true)
      const aliases = aliasesOf(options) ?? existing?.aliases ?? []
      const groups = { ...keptGroups(existing), ...groupsOf(options, { ...lists, owner }) }
      assertNotGrouped(groups, parseDropped(options.drop ?? []))
      const requested = createFeature({
        entity: plural === undefined && existing !== undefined ? existing.entity : names,
        ...lists,
        search: isEdited ? search.filter((name) => hasField(lists, name)) : search,
        protect: given ?? existing?.protect ?? 'none',
        ...(owner !== undefined && owner !== 'none' && { owner }),
        ...(isPrivate && { private: true }),
        ...withoutEmpty(groups),
        ...(aliases.length > 0 && { aliases }),
      })
      assertGroupsKept(requested)
      return requested
    },
  }
}

type Edit = (existing: Feature) => FieldLists

function readList(args: readonly string[], { fields }: RequestOptions): FieldLists | undefined {
  if (fields !== undefined && args.length > 0) {
    throw new StrataError('usage', 'pass the fields with --fields or as arguments, not both')
  }
  if (fields !== undefined) return parseFieldList(fields)
  return args.length === 0 ? undefined : parseFieldArgs(args)
}

function readEdit({ add, drop }: RequestOptions): Edit | undefined {
  if (add === undefined && drop === undefined) return undefined
  const added = parseAddedFields(add ?? [])
  const dropped = parseDropped(drop ?? [])
  return (existing) => editFields(existing, added, dropped)
}

function editedLists(
  pascal: string,
  existing: Feature | undefined,
  known: readonly string[],
  edit: Edit = ({ fields, many }) => ({ fields, many }),
): FieldLists {
  if (existing !== undefined) return edit(existing)
  throw new StrataError(
    'usage',
    `there is no feature ${pascal} to change:${didYouMean(pascal, known)} the features are ${known.join(', ') || 'none yet'}, and a new feature needs a list of fields`,
  )
}

function changesOptions({ plural, search, protect, owner, ...others }: RequestOptions): boolean {
  const { private: isPrivate, unique, index, alias } = others
  return [plural, search, protect, owner, isPrivate, unique, index, alias].some(
    (value) => value !== undefined,
  )
}

/** Returns the groups of fields that the command line gives. */
function groupsOf(
  { unique, index }: RequestOptions,
  { fields, owner }: Pick<FieldLists, 'fields'> & { readonly owner: string | undefined },
): Groups {
  const feature = { fields, ...(owner !== undefined && { owner }) }
  return {
    ...(unique && { unique: parseGroups('unique', unique, feature) }),
    ...(index && { index: parseGroups('index', index, feature) }),
  }
}

type Groups = Pick<Feature, 'unique' | 'index'>

function keptGroups(existing: Feature | undefined): Groups {
  return {
    ...(existing?.unique && { unique: existing.unique }),
    ...(existing?.index && { index: existing.index }),
  }
}

function withoutEmpty({ unique = [], index = [] }: Groups): Groups {
  return { ...(unique.length > 0 && { unique }), ...(index.length > 0 && { index }) }
}

function aliasesOf({ alias }: RequestOptions): readonly string[] | undefined {
  return alias === undefined ? undefined : parseAliases(alias)
}

function searchOf({ search }: RequestOptions, { fields }: FieldLists) {
  return search === undefined ? undefined : parseSearch(search, fields)
}

function hasField({ fields }: FieldLists, name: string): boolean {
  return fields.some((field) => field.name === name)
}
