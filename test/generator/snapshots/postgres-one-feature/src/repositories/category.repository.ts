import type { Category } from '../domain/category.js'
import type { Repository } from './repository.js'

export interface CategoryRepository extends Repository<Category> {}
