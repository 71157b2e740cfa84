import { AppError } from '../domain/app-error.js'
import type {
  OrderLine,
  OrderLineChanges,
  OrderLineDraft,
  OrderLineFilter,
} from '../domain/order-line.js'
import type { OrderLineRepository } from '../repositories/order-line.repository.js'
import type { Check, Page } from '../repositories/repository.js'

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

    async update(
      id: number,
      changes: OrderLineChanges,
      check?: Check<OrderLine>,
    ): Promise<OrderLine> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<OrderLine>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'order line not found')
}
