import type { CountryApi } from '../../client/country.api.js'
import type { Repositories } from '../../src/container.js'
import type { Country } from '../../src/domain/country.js'
import { createCountryBody } from '../../src/handlers/country.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function countrySample(n: number): CountryApi['create'] {
  return {
    name: `name ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function countryDraft(n: number) {
  const draft = camelKeys(createCountryBody.parse(countrySample(n)))
  return draft
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedCountry(repositories: Repositories): Promise<Country> {
  const createdAt = new Date()
  return repositories.countries.create({
    ...countryDraft(++lastSeed),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badCountryFields = {
  name: 1,
}
