import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Memo, MemoChanges, MemoDraft, MemoFilter } from '../domain/memo.js'
import type { MemoRepository } from '../repositories/memo.repository.js'
import type { OrderRepository } from '../repositories/order.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: MemoRepository
  orderRepository: OrderRepository
  now: () => Date
}

export type MemoService = ReturnType<typeof createMemoService>

export function createMemoService({ repository, orderRepository, now }: Dependencies) {
  /** The parts of a private record are as private as the record. */
  async function assertVisible(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const row = (await repository.find(id)) ?? absent()
    if ((await orderRepository.owner(row.orderId)) !== caller.id) absent()
  }

  async function assertOwned(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const owner = await repository.owner(id)
    if (owner === undefined) absent()
    if (owner !== caller.id) throw new AppError('forbidden', 'only the author may change this memo')
  }

  /** A private order of another user counts as absent. */
  async function assertAccessToOrder(id: number | undefined, caller: Caller) {
    if (typeof id !== 'number' || caller.role === 'admin') return
    if ((await orderRepository.owner(id)) !== caller.id)
      throw new AppError('not-found', 'order not found')
  }

  return {
    list: (query: Page & MemoFilter, caller: Caller) =>
      repository.list({ ...query, visibleTo: caller.role === 'admin' ? undefined : caller.id }),

    async find(id: number, caller: Caller): Promise<Memo> {
      await assertVisible(id, caller)
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: MemoDraft, caller: Caller): Promise<Memo> {
      await assertAccessToOrder(draft.orderId, caller)
      const createdAt = now()
      return repository.create({ ...draft, authorId: caller.id, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: MemoChanges,
      caller: Caller,
      check?: Check<Memo>,
    ): Promise<Memo> {
      await assertVisible(id, caller)
      await assertOwned(id, caller)
      await assertAccessToOrder(changes.orderId, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Memo>): Promise<void> {
      await assertVisible(id, caller)
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'memo not found')
}
