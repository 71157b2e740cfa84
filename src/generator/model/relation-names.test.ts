import { expect, test } from 'vitest'
import { modelOf } from '../../../test/support/generator/migrate/migrate.ts'
import type { Feature, Model } from './model.ts'
import { joinTableName, relationMembers } from './relation-names.ts'
import { manyOf } from './relations.ts'

const blog = modelOf('sqlite', {
  User: 'name:string',
  Post: 'author_id:uint:fk(User),editor_id:uint:fk(User):optional,parent_id:uint:fk(Post):optional,tags:many(Tag)',
  Comment: 'post_id:uint:fk(Post):cascade,author_id:uint:fk(User)',
  Tag: 'name:string',
  Profile: 'user_id:uint:fk(User):unique',
})

test('relation members are named after the key, the child of a part, or both', () => {
  expect(lines(blog, 'Post')).toEqual([
    'author User posts_author_id',
    'editor User? posts_editor_id',
    'parent Post? posts_parent_id',
    'tags Tag[] posts_tags',
    'postsByParent Post[] posts_parent_id',
    'comments Comment[] comments_post_id',
  ])
  expect(lines(blog, 'User')).toEqual([
    'postsByAuthor Post[] posts_author_id',
    'postsByEditor Post[] posts_editor_id',
    'commentsByAuthor Comment[] comments_author_id',
    'profilesByUser Profile[] profiles_user_id',
  ])
  expect(lines(blog, 'Tag')).toEqual(['postsByTags Post[] posts_tags'])
})

test('a many-to-many relation has a join table', () => {
  const post = featureOf(blog, 'Post')
  expect(manyOf(blog, post).map((many) => joinTableName(post, many))).toEqual(['_posts_tags'])
})

function lines(model: Model, pascal: string): readonly string[] {
  return relationMembers(model, featureOf(model, pascal)).map(
    ({ name, type, relation }) => `${name} ${type} ${relation}`,
  )
}

function featureOf({ features }: Model, pascal: string): Feature {
  const found = features.find(({ entity }) => entity.pascal === pascal)
  if (!found) throw new Error(`no ${pascal}`)
  return found
}
