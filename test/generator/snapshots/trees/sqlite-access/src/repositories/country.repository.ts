import type { Country } from '../domain/country.js'
import type { Repository } from './repository.js'

export type CountryRepository = Repository<Country>
