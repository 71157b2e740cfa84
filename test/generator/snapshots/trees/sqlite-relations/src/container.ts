import type { Store } from './infra/store.js'
import { createCategoryRepository } from './repositories/category.repository.prisma.js'
import { createLabelRepository } from './repositories/label.repository.prisma.js'
import { createOrderLineRepository } from './repositories/order-line.repository.prisma.js'
import { createProductRepository } from './repositories/product.repository.prisma.js'
import { createCategoryService } from './use-cases/category.service.js'
import { createLabelService } from './use-cases/label.service.js'
import { createOrderLineService } from './use-cases/order-line.service.js'
import { createProductService } from './use-cases/product.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    labels: createLabelRepository(store),
    categories: createCategoryRepository(store),
    products: createProductRepository(store),
    orderLines: createOrderLineRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    labels: createLabelService({ repository: repositories.labels, now }),
    categories: createCategoryService({ repository: repositories.categories, now }),
    products: createProductService({ repository: repositories.products, now }),
    orderLines: createOrderLineService({ repository: repositories.orderLines, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
