import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type {
  Report,
  ReportChanges,
  ReportDetails,
  ReportDraft,
  ReportFilter,
} from '../domain/report.js'
import type { OrderRepository } from '../repositories/order.repository.js'
import type { ReportRepository } from '../repositories/report.repository.js'
import type { Check, Page } from '../repositories/repository.js'

interface Dependencies {
  repository: ReportRepository
  orderRepository: OrderRepository
  now: () => Date
}

export type ReportService = ReturnType<typeof createReportService>

export function createReportService({ repository, orderRepository, now }: Dependencies) {
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const owner = await repository.owner(id)
    if (owner === undefined) absent()
    if (owner !== caller.id)
      throw new AppError('forbidden', 'only the author may change this report')
  }

  /** A private order of another user counts as absent. */
  async function assertAccessToOrder(id: number | null | undefined, caller: Caller) {
    if (typeof id !== 'number' || caller.role === 'admin') return
    if ((await orderRepository.owner(id)) !== caller.id)
      throw new AppError('not-found', 'order not found')
  }

  return {
    list: (query: Page & ReportFilter) => repository.list(query),

    async find(id: number): Promise<ReportDetails> {
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: ReportDraft, caller: Caller): Promise<Report> {
      await assertAccessToOrder(draft.orderId, caller)
      const createdAt = now()
      return repository.create({ ...draft, authorId: caller.id, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: ReportChanges,
      caller: Caller,
      check?: Check<Report>,
    ): Promise<Report> {
      await assertOwned(id, caller)
      await assertAccessToOrder(changes.orderId, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Report>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'report not found')
}
