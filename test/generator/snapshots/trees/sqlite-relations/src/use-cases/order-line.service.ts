import { AppError } from '../domain/app-error.js'
import type {
  OrderLine,
  OrderLineChanges,
  OrderLineDraft,
  OrderLineFilter,
} from '../domain/order-line.js'
import type { OrderLineRepository } from '../repositories/order-line.repository.js'
import type { Page } from '../repositories/repository.js'

interface Dependencies {
  repository: OrderLineRepository
  now: () => Date
}

export type OrderLineService = ReturnType<typeof createOrderLineService>

export function createOrderLineService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & OrderLineFilter) => repository.list(query),

    async find(id: number): Promise<OrderLine> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: OrderLineDraft): Promise<OrderLine> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: OrderLineChanges): Promise<OrderLine> {
      return (await repository.update(id, { ...changes, updatedAt: now() })) ?? absent()
    },

    async remove(id: number): Promise<void> {
      if (!(await repository.remove(id))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'order line not found')
}
