import { AppError } from '../domain/app-error.js'
import type { Caller } from '../domain/caller.js'
import type { Section, SectionChanges, SectionDraft, SectionFilter } from '../domain/section.js'
import type { ReportRepository } from '../repositories/report.repository.js'
import type { Check, Page } from '../repositories/repository.js'
import type { SectionRepository } from '../repositories/section.repository.js'

interface Dependencies {
  repository: SectionRepository
  reportRepository: ReportRepository
  now: () => Date
}

export type SectionService = ReturnType<typeof createSectionService>

export function createSectionService({ repository, reportRepository, now }: Dependencies) {
  async function assertOwned(id: number, caller: Caller) {
    if (caller.role === 'admin') return
    const owner = await repository.owner(id)
    if (owner === undefined) absent()
    if (owner !== caller.id)
      throw new AppError('forbidden', 'only the author of the report may change this section')
  }

  /** Only the owner of the report may add parts. */
  async function assertAccessToReport(id: number | undefined, caller: Caller) {
    if (id === undefined || caller.role === 'admin') return
    const owner = await reportRepository.owner(id)
    if (owner === undefined) throw new AppError('not-found', 'report not found')
    if (owner !== caller.id)
      throw new AppError('forbidden', 'only the author may change this report')
  }

  return {
    list: (query: Page & SectionFilter) => repository.list(query),

    async find(id: number): Promise<Section> {
      return (await repository.find(id)) ?? absent()
    },

    async create(draft: SectionDraft, caller: Caller): Promise<Section> {
      await assertAccessToReport(draft.reportId, caller)
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(
      id: number,
      changes: SectionChanges,
      caller: Caller,
      check?: Check<Section>,
    ): Promise<Section> {
      await assertOwned(id, caller)
      await assertAccessToReport(changes.reportId, caller)
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, caller: Caller, check?: Check<Section>): Promise<void> {
      await assertOwned(id, caller)
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'section not found')
}
