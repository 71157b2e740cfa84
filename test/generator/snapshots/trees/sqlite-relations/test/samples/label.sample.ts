import type { LabelApi } from '../../client/label.api.js'
import type { Repositories } from '../../src/container.js'
import type { Label } from '../../src/domain/label.js'
import { createLabelBody } from '../../src/handlers/label.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function labelSample(n: number): LabelApi['create'] {
  return {
    name: `name ${n}`,
    hue: 'red',
  }
}

/** Returns a sample as a draft for the repository. */
export function labelDraft(n: number) {
  const draft = camelKeys(createLabelBody.parse(labelSample(n)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedLabel(repositories: Repositories): Promise<Label> {
  const createdAt = new Date()
  return repositories.labels.create({
    ...labelDraft(++lastSeed),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badLabelFields = {
  name: 1,
  hue: 'no such value',
}
