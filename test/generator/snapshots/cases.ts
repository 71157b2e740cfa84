import { createModel } from '../../../src/generator/model/build.ts'
import type { StoreKind } from '../../../src/generator/model/store-kinds.ts'
import { isBasePath } from '../../../src/generator/plan/base.ts'
import {
  addFeature,
  featureOf,
  newTree,
  type Tree,
} from '../../support/generator/memory-project.ts'

/** The project of `strata init shop --module @acme/shop` and these features. */
export interface Case {
  /** Part of the names of folders below `trees/`; may not contain `+`. */
  readonly name: string
  readonly database: StoreKind
  readonly orm?: 'kysely'
  readonly auth?: boolean
  /** The arguments of each `strata feature`. */
  readonly features: readonly string[]
}

export const cases: readonly Case[] = [
  { name: 'sqlite-empty', database: 'sqlite', features: [] },
  {
    name: 'sqlite-kitchen-sink',
    database: 'sqlite',
    features: [
      [
        'BlogPost title:string:max=120:index slug:string:unique:max=80 body:text:min=10 summary:text:optional',
        'pinned:bool:default=false featured:bool:optional reading_minutes:uint:min=1:max=600 score:int:default=-1',
        'rating:float:optional:min=0:max=5 price:decimal(10,2):default=9.9:min=0 discount:decimal(4,3):optional',
        'status:enum(draft|published|archived):default=draft:index mood:enum(good|bad):optional',
      ].join(' '),
      [
        'Person email:email:unique born:date:optional joined:date:default=now seen:datetime:default=now',
        'locked:datetime:optional since:datetime:default="2026-01-31T12:00:00Z" token:uuid:unique device:uuid:optional',
        'settings:json:default="{\\"theme\\":\\"dark\\",\\"tabs\\":[1,2]}" profile:json extra:json:optional order:int',
        'group:string:default="it\'s" class:string:optional:min=2',
      ].join(' '),
    ],
  },
  {
    name: 'sqlite-relations',
    database: 'sqlite',
    features: [
      'Label name:string hue:enum(red|blue):default=red',
      'Category name:string parent_id:uint:fk(Category):optional --alias=groups,topics',
      'Product name:string category_id:uint:fk price:decimal(10,2) made:date sold_out:bool:default=false note:string:optional labels:many(Label) --search=name,note',
      'OrderLine product_id:uint:fk:cascade count:uint:min=1 day:date:optional',
    ],
  },
  {
    name: 'postgres-blog',
    database: 'postgres',
    auth: true,
    features: [
      'Tag name:string slug:string:unique',
      'Post title:string:index content:text:default="" author_id:uint:fk(User) published:bool:default=false tags:many(Tag) --search=title,content --owner=author_id',
      'Comment post_id:uint:fk:cascade author_id:uint:fk(User) content:text --protect=all --owner=author_id',
    ],
  },
  {
    name: 'sqlite-access',
    database: 'sqlite',
    auth: true,
    features: [
      'Country name:string --protect=admin',
      'Order note:string customer_id:uint:fk(User) country_id:uint:fk --owner=customer_id --private',
      'OrderLine order_id:uint:fk:cascade count:uint:min=1 --unique=order_id,count',
      'Parcel order_line_id:uint:fk:cascade code:string:unique',
      'Memo order_id:uint:fk:cascade author_id:uint:fk(User) text:string --owner=author_id',
      'Report title:string author_id:uint:fk(User) order_id:uint:fk:optional --owner=author_id',
      'Section report_id:uint:fk:cascade heading:string',
    ],
  },
  {
    name: 'postgres-one-feature',
    database: 'postgres',
    features: [
      'Category name:string:unique position:uint:default=0 opens:date price:decimal(12,4):optional --index=opens,price',
    ],
  },
  {
    name: 'sqlite-kysely',
    database: 'sqlite',
    orm: 'kysely',
    auth: true,
    features: [
      'Tag name:string slug:string:unique',
      'Post title:string:index content:text:default="" price:decimal(8,2):default=9.50 day:date:optional notes:json:optional author_id:uint:fk(User) published:bool:default=false tags:many(Tag) --search=title,content --owner=author_id',
      'Comment post_id:uint:fk:cascade author_id:uint:fk(User) content:text --protect=all --owner=author_id --unique=post_id,author_id',
    ],
  },
  {
    name: 'postgres-kysely',
    database: 'postgres',
    orm: 'kysely',
    features: [
      'Category name:string:unique position:uint:default=0 opens:date price:decimal(12,4):optional',
    ],
  },
  {
    name: 'mongodb-blog',
    database: 'mongodb',
    auth: true,
    features: [
      'Tag name:string slug:string:unique',
      'Post title:string:index price:decimal(8,2):default=9.50 notes:json:optional author_id:uint:fk(User) tags:many(Tag) --search=title --owner=author_id',
      'Comment post_id:uint:fk:cascade author_id:uint:fk(User) content:text --protect=all --owner=author_id --unique=post_id,author_id',
    ],
  },
  {
    name: 'dynamodb-one-feature',
    database: 'dynamodb',
    features: ['Task title:string done:bool:default=false'],
  },
  {
    name: 'elasticsearch-one-feature',
    database: 'elasticsearch',
    features: [
      'Note text:string code:string:unique price:decimal(8,2) --search=text --unique=text,price --index=text,code',
    ],
  },
]

/** Returns the stored part of every case's tree, by the name of the case. */
export async function emittedTrees(): Promise<ReadonlyMap<string, Tree>> {
  const trees = new Map<string, Tree>()
  for (const each of cases) trees.set(each.name, storedFiles(await render(each)))
  return trees
}

/** Returns every file of a case, base copies and `.env` included. */
export async function render({ database, orm, auth = false, features }: Case): Promise<Tree> {
  const project = { name: 'shop', module: '@acme/shop', database, auth, ...(orm && { orm }) }
  const tree = await newTree(createModel(project))
  for (const line of features) await addFeature(tree, featureOf(line))
  return tree
}

/** Drops the base copies, which repeat the files, and `.env`, which git ignores. */
function storedFiles(tree: Tree): Tree {
  return new Map([...tree].filter(([path]) => !isBasePath(path) && path !== '.env'))
}
