import type { SectionApi } from '../../client/section.api.js'
import type { Repositories } from '../../src/container.js'
import type { User } from '../../src/domain/user.js'
import { createSectionBody } from '../../src/handlers/section.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedReport } from './report.sample.js'

export type SectionRefs = Awaited<ReturnType<typeof seedSectionRefs>>

/** Creates the records that samples refer to. */
export async function seedSectionRefs(repositories: Repositories, user?: User) {
  return {
    report: await seedReport(repositories, user),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function sectionSample(n: number, refs: SectionRefs): SectionApi['create'] {
  return {
    report_id: refs.report.id,
    heading: `heading ${n}`,
  }
}

/** Returns a sample as a draft for the repository. */
export function sectionDraft(n: number, refs: SectionRefs) {
  const draft = camelKeys(createSectionBody.parse(sectionSample(n, refs)))
  return draft
}

/** An invalid value for each field. */
export const badSectionFields = {
  report_id: 1.5,
  heading: 1,
}
