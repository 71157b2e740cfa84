import type { Report, ReportDetails, ReportDraft, ReportFilter } from '../domain/report.js'
import type { Repository } from './repository.js'

type Records = Repository<
  Report,
  ReportDraft & Pick<Report, 'authorId'>,
  ReportFilter,
  ReportDetails
>

export interface ReportRepository extends Records {
  /** Returns the id of the author without reading the report. Undefined if the report does not exist. */
  owner(id: number): Promise<number | undefined>
}
