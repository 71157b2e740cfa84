import { createFeature, withFeature } from '../../../src/generator/model/build.ts'
import type { Feature, Model } from '../../../src/generator/model/model.ts'
import { entityNames } from '../../../src/generator/model/names.ts'
import { renameInModel } from '../../../src/generator/model/rename.ts'
import type { Plan } from '../../../src/generator/plan/plan.ts'
import {
  type Change,
  planChange,
  type Resolution,
} from '../../../src/generator/plan/plan-change.ts'
import { planProject } from '../../../src/generator/plan/plan-project.ts'
import { planRename } from '../../../src/generator/plan/plan-rename.ts'
import { parseAliases, parseProtection } from '../../../src/generator/spec/feature-options.ts'
import { parseFieldArgs } from '../../../src/generator/spec/field-list.ts'
import { readModel } from '../../../src/generator/spec/project-file.ts'
import { parseRename } from '../../../src/generator/spec/rename.ts'

/** A project in memory: path, with `/`, to text. */
export type Tree = Map<string, string>

const secrets = { databasePassword: 'secret', jwtSecret: 'secret' }

/** Creates a project. Its secrets are `secret`. */
export async function newTree(model: Model): Promise<Tree> {
  const tree: Tree = new Map()
  apply(tree, await planProject('/shop', model, secrets))
  return tree
}

/** Adds a feature to the tree or changes an existing one. Returns the applied plan. */
export async function addFeature(
  tree: Tree,
  feature: Feature,
  resolve: Partial<Resolution> = {},
): Promise<Plan> {
  const plan = await planFor(tree, feature, resolve)
  apply(tree, plan)
  return plan
}

/** Returns the plan that adds or changes a feature. */
export function planFor(
  tree: Tree,
  feature: Feature,
  resolve: Partial<Resolution> = {},
): Promise<Plan> {
  return planTo(tree, withFeature(modelOf(tree), feature), resolve, [feature])
}

/** Changes the tree to another model. Returns the applied plan. */
export async function changeModel(
  tree: Tree,
  after: Model,
  resolve: Partial<Resolution> = {},
  more: Pick<Change, 'retain'> = {},
): Promise<Plan> {
  const plan = await planTo(tree, after, resolve, [], more)
  apply(tree, plan)
  return plan
}

/** Reads the model from `strata.json`. */
export function modelOf(tree: Tree): Model {
  return readModel(tree.get('strata.json') ?? '')
}

function planTo(
  tree: Tree,
  after: Model,
  resolve: Partial<Resolution>,
  requested: readonly Feature[],
  more: Pick<Change, 'retain'> = {},
): Promise<Plan> {
  return planChange({ ...more, ...changeOf(tree, after, resolve), requested })
}

function changeOf(
  tree: Tree,
  after: Model,
  resolve: Partial<Resolution>,
): Omit<Change, 'requested'> {
  return {
    root: '/shop',
    before: modelOf(tree),
    projectFile: tree.get('strata.json') ?? '',
    after,
    secrets,
    readFile: (path) => tree.get(path),
    listFolders: (path) => foldersIn(tree, path),
    listFiles: (path) => [...tree.keys()].filter((file) => file.startsWith(`${path}/`)),
    resolve: { keep: false, theirs: [], allowDestructive: false, ...resolve },
  }
}

/** Renames a field or an entity in the tree: `renameIn(tree, 'Post.title', 'headline')`. Returns the applied plan. */
export async function renameIn(
  tree: Tree,
  from: string,
  to: string,
  {
    plural,
    alias,
    ...resolve
  }: Partial<Resolution> & { readonly plural?: string; readonly alias?: boolean } = {},
): Promise<Plan> {
  const before = modelOf(tree)
  const rename = parseRename(before, from, to, { plural, alias })
  if (rename === undefined) throw new Error(`${from} is already ${to}`)
  const plan = await planRename({
    ...changeOf(tree, renameInModel(before, rename), resolve),
    listTexts: () => [...tree.keys()].filter((path) => !path.startsWith('.')),
  })
  apply(tree, plan)
  return plan
}

/** Parses a command line: `Book title:string --search=title --protect=all --owner=author_id`. */
export function featureOf(line: string): Feature {
  const [entity = '', ...words] = line.split(' ')
  const option = (name: string) =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const groups = (name: string) =>
    words.flatMap((word) =>
      word.startsWith(`--${name}=`) ? [word.slice(name.length + 3).split(',')] : [],
    )
  const [unique, index] = [groups('unique'), groups('index')]
  const [search, protect, owner] = [option('search'), option('protect'), option('owner')]
  const alias = option('alias')
  return createFeature({
    entity: entityNames(entity),
    ...parseFieldArgs(words.filter((word) => !word.startsWith('--'))),
    ...(search !== undefined && { search: search.split(',') }),
    ...(protect !== undefined && { protect: parseProtection(protect) }),
    ...(owner !== undefined && { owner }),
    ...(words.includes('--private') && { private: true }),
    ...(unique.length > 0 && { unique }),
    ...(index.length > 0 && { index }),
    ...(alias !== undefined && { aliases: parseAliases(alias) }),
  })
}

function apply(tree: Tree, { actions }: Plan): void {
  for (const action of actions) {
    if (action.kind === 'delete') tree.delete(action.path)
    else if (action.kind !== 'skip') tree.set(action.path, action.after)
  }
}

function foldersIn(tree: Tree, path: string): string[] {
  const below = [...tree.keys()].filter((file) => file.startsWith(`${path}/`))
  const parts = below.map((file) => file.slice(path.length + 1).split('/'))
  return [...new Set(parts.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])))]
}
