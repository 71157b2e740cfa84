import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Order, OrderChanges, OrderDetails, OrderDraft, OrderFilter } from '../domain/order.js'
import type { OrderRepository } from '../repositories/order.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: OrderRepository
  now: () => Date
}

export type OrderService = ReturnType<typeof createOrderService>

export function createOrderService({ repository, now }: Dependencies) {
  /** Other users get the same answer as for an absent order. */
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role !== 'admin' && (await repository.owner(id)) !== caller.id) absent()
  }

  return {
    list: (query: Page & OrderFilter, caller: Caller) =>
      repository.list({ ...query, visibleTo: caller.role === 'admin' ? undefined : caller.id }),

    async find(id: number, caller: Caller): Promise<OrderDetails> {
      await assertOwned(id, caller)
      return (await repository.find(id)) ?? absent()
    },

    create(draft: OrderDraft, caller: Caller): Promise<Order> {
      const createdAt = now()
      return repository.create({ ...draft, customerId: caller.id, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: OrderChanges,
      caller: Caller,
      check?: Check<Order>,
    ): Promise<Order> {
      await assertOwned(id, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Order>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'order not found')
}
