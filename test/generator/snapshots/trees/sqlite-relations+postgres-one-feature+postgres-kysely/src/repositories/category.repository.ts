import type { Category, CategoryDraft, CategoryFilter } from '../domain/category.js'
import type { Repository } from './repository.js'

export type CategoryRepository = Repository<Category, CategoryDraft, CategoryFilter>
