import type { Repositories } from '../../src/container.js'
import type { Label } from '../../src/domain/label.js'
import { createLabelBody, type LabelApi } from '../../src/handlers/label.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** A body that creates one; no two numbers share a value of a unique field. */
export function labelSample(n: number): LabelApi['create'] {
  return {
    name: `name ${n}`,
    hue: 'red',
  }
}

/** The same as the store takes it. */
export function labelDraft(n: number) {
  const draft = camelKeys(createLabelBody.parse(labelSample(n)))
  return draft
}

/** Other tests count from 1. */
let seeded = 60

/** A record for others to refer to. */
export async function seedLabel(repositories: Repositories): Promise<Label> {
  const createdAt = new Date()
  return repositories.labels.create({
    ...labelDraft(++seeded),
    createdAt,
    updatedAt: createdAt,
  })
}

/** For each field a value that is refused. */
export const badLabelFields = {
  name: 1,
  hue: 'no such value',
}
