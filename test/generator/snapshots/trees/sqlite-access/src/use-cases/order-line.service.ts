import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type {
  OrderLine,
  OrderLineChanges,
  OrderLineDetails,
  OrderLineDraft,
  OrderLineFilter,
} from '../domain/order-line.js'
import type { OrderRepository } from '../repositories/order.repository.js'
import type { OrderLineRepository } from '../repositories/order-line.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: OrderLineRepository
  orderRepository: OrderRepository
  now: () => Date
}

export type OrderLineService = ReturnType<typeof createOrderLineService>

export function createOrderLineService({ repository, orderRepository, now }: Dependencies) {
  /** Other users get the same answer as for an absent order line. */
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role !== 'admin' && (await repository.owner(id)) !== caller.id) absent()
  }

  /** A private order of another user counts as absent. */
  async function assertAccessToOrder(id: number | undefined, caller: Caller) {
    if (typeof id !== 'number' || caller.role === 'admin') return
    if ((await orderRepository.owner(id)) !== caller.id)
      throw new AppError('not-found', 'order not found')
  }

  return {
    list: (query: Page & OrderLineFilter, caller: Caller) =>
      repository.list({ ...query, visibleTo: caller.role === 'admin' ? undefined : caller.id }),

    async find(id: number, caller: Caller): Promise<OrderLineDetails> {
      await assertOwned(id, caller)
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: OrderLineDraft, caller: Caller): Promise<OrderLine> {
      await assertAccessToOrder(draft.orderId, caller)
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: OrderLineChanges,
      caller: Caller,
      check?: Check<OrderLine>,
    ): Promise<OrderLine> {
      await assertOwned(id, caller)
      await assertAccessToOrder(changes.orderId, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<OrderLine>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'order line not found')
}
