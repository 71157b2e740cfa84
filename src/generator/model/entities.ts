import type { Feature, Model } from './model.ts'
import { formerUser, user } from './user.ts'

/** Lists every entity with a table: the user of `--auth` first, then the features in their order. */
export function entitiesOf({
  auth,
  formerUser: isFormer,
  features,
}: Pick<Model, 'auth' | 'formerUser' | 'features'>): readonly Feature[] {
  return auth ? [isFormer ? formerUser : user, ...features] : features
}

/** Returns the entity. Throws if the model lacks the entity. */
export function entityOf(model: Model, pascal: string): Feature {
  const found = entitiesOf(model).find(({ entity }) => entity.pascal === pascal)
  if (!found) throw new Error(`the model has no ${pascal}`)
  return found
}
