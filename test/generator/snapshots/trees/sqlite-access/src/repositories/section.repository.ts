import type { Section, SectionDraft, SectionFilter } from '../domain/section.js'
import type { Repository } from './repository.js'

type Records = Repository<Section, SectionDraft, SectionFilter>

export interface SectionRepository extends Records {
  /** Returns the id of the author of the report without reading the section. Undefined if the section does not exist. */
  owner(id: number): Promise<number | undefined>
}
