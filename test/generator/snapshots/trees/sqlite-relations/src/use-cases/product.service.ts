import { AppError } from '../domain/app-error.js'
import type {
  Product,
  ProductChanges,
  ProductDetails,
  ProductDraft,
  ProductFilter,
} from '../domain/product.js'
import type { ProductRepository } from '../repositories/product.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: ProductRepository
  now: () => Date
}

export type ProductService = ReturnType<typeof createProductService>

export function createProductService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & ProductFilter) => repository.list(query),

    async find(id: number): Promise<ProductDetails> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: ProductDraft): Promise<Product> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: ProductChanges, check?: Check<Product>): Promise<Product> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Product>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'product not found')
}
