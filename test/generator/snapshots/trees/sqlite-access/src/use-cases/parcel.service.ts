import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Parcel, ParcelChanges, ParcelDraft, ParcelFilter } from '../domain/parcel.js'
import type { OrderLineRepository } from '../repositories/order-line.repository.js'
import type { ParcelRepository } from '../repositories/parcel.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: ParcelRepository
  orderLineRepository: OrderLineRepository
  now: () => Date
}

export type ParcelService = ReturnType<typeof createParcelService>

export function createParcelService({ repository, orderLineRepository, now }: Dependencies) {
  /** Other users get the same answer as for an absent parcel. */
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role !== 'admin' && (await repository.owner(id)) !== caller.id) absent()
  }

  /** A private order line of another user counts as absent. */
  async function assertAccessToOrderLine(id: number | undefined, caller: Caller) {
    if (typeof id !== 'number' || caller.role === 'admin') return
    if ((await orderLineRepository.owner(id)) !== caller.id)
      throw new AppError('not-found', 'order line not found')
  }

  return {
    list: (query: Page & ParcelFilter, caller: Caller) =>
      repository.list({ ...query, visibleTo: caller.role === 'admin' ? undefined : caller.id }),

    async find(id: number, caller: Caller): Promise<Parcel> {
      await assertOwned(id, caller)
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: ParcelDraft, caller: Caller): Promise<Parcel> {
      await assertAccessToOrderLine(draft.orderLineId, caller)
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: ParcelChanges,
      caller: Caller,
      check?: Check<Parcel>,
    ): Promise<Parcel> {
      await assertOwned(id, caller)
      await assertAccessToOrderLine(changes.orderLineId, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Parcel>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'parcel not found')
}
