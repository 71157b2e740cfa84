import type { Repositories } from '../../src/container.js'
import type { Tag } from '../../src/domain/tag.js'
import { createTagBody, type TagApi } from '../../src/handlers/tag.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** A body that creates one; no two numbers share a value of a unique field. */
export function tagSample(n: number): TagApi['create'] {
  return {
    name: `name ${n}`,
    slug: `slug ${n}`,
  }
}

/** The same as the store takes it. */
export function tagDraft(n: number) {
  const draft = camelKeys(createTagBody.parse(tagSample(n)))
  return draft
}

/** Other tests count from 1. */
let seeded = 60

/** A record for others to refer to. */
export async function seedTag(repositories: Repositories): Promise<Tag> {
  const createdAt = new Date()
  return repositories.tags.create({
    ...tagDraft(++seeded),
    createdAt,
    updatedAt: createdAt,
  })
}

/** For each field a value that is refused. */
export const badTagFields = {
  name: 1,
  slug: 1,
}
