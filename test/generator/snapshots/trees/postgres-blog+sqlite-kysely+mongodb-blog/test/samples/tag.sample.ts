import type { TagApi } from '../../client/tag.api.js'
import type { Repositories } from '../../src/container.js'
import type { Tag } from '../../src/domain/tag.js'
import { createTagBody } from '../../src/handlers/tag.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function tagSample(n: number): TagApi['create'] {
  return {
    name: `name ${n}`,
    slug: `slug ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function tagDraft(n: number) {
  const draft = camelKeys(createTagBody.parse(tagSample(n)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedTag(repositories: Repositories): Promise<Tag> {
  const createdAt = new Date()
  return repositories.tags.create({
    ...tagDraft(++lastSeed),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badTagFields = {
  name: 1,
  slug: 1,
}
