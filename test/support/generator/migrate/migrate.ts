import { createFeature } from '../../../../src/generator/model/build.ts'
import type { Feature, Model } from '../../../../src/generator/model/model.ts'
import { entityNames } from '../../../../src/generator/model/names.ts'
import type { StoreKind } from '../../../../src/generator/model/store-kinds.ts'
import { type FieldLists, parseFieldList } from '../../../../src/generator/spec/field-list.ts'

/** Builds a model from field lists: `modelOf('sqlite', { User: 'email:email:unique' })`. */
export function modelOf(database: StoreKind, features: Readonly<Record<string, string>>): Model {
  return withFeatures(
    database,
    Object.entries(features).map(([entity, fields]) => feature(entity, parseFieldList(fields))),
  )
}

export function withFeatures(database: StoreKind, features: readonly Feature[]): Model {
  return { name: 'shop', module: 'shop', database, auth: false, features }
}

export function feature(entity: string, fields: FieldLists): Feature {
  return createFeature({ entity: entityNames(entity), ...fields })
}

/** A model with every kind of field, optional and required, with and without defaults. */
export function everything(database: StoreKind): Model {
  const json =
    database === 'sqlserver'
      ? ''
      : `,meta:json,extra:json:optional,options:json:default="{\\"a\\":[1,\\"it's\\"]}"`
  const strings = `title:string,slug:string:unique:max=80,nick:string:optional:unique,note:string:default="it's a \\"q\\" \\\\ é",long:string:max=5000`
  const texts = `body:text,summary:text:optional,footer:text:default="it's"`
  const numbers =
    'rank:int:index,views:uint:default=0,low:int:default=-5,ratio:float:optional,tiny:float:default=1e-7,huge:float:default=1e22'
  const decimals =
    'price:decimal(10,2),tax:decimal(6,3):default=-0.250,whole:decimal(5,0):default=7'
  const others =
    'done:bool,live:bool:default=true,gone:bool:default=false,mail:email:unique,state:enum(draft|live):default=draft:index,mood:enum(good|bad):optional'
  const dates =
    'born:date,since:date:default=2020-02-29,today:date:default=now,seen:datetime:optional:index,first:datetime:default="2020-02-29T12:30:00.120Z",last:datetime:default=now'
  const ids = 'token:uuid:unique,parent:uuid:optional'
  const fields = [strings, texts, numbers, decimals, others, dates, ids].join(',') + json
  return modelOf(database, { BlogPost: fields })
}

/** A model with users, every kind of relation, and search. */
export function blog(database: StoreKind): Model {
  const model = modelOf(database, {
    Tag: 'name:string,slug:string:unique',
    Post: 'title:string:index,content:text:optional,author_id:uint:fk(User),parent_id:uint:fk(Post):optional,published:bool:default=false,tags:many(Tag)',
    Comment: 'post_id:uint:fk(Post):cascade,author_id:uint:fk(User),content:text',
    Profile: 'user_id:uint:fk(User):unique,about:text',
  })
  return searched({ ...model, auth: true }, { Post: ['title', 'content'] })
}

/** Adds `--search` to features of a model: `searched(model, { Post: ['title'] })`. */
export function searched(model: Model, search: Readonly<Record<string, readonly string[]>>): Model {
  const features = model.features.map((each) => ({
    ...each,
    search: search[each.entity.pascal] ?? each.search,
  }))
  return { ...model, features }
}
