import type { ReportApi } from '../../client/report.api.js'
import type { Repositories } from '../../src/container.js'
import type { Report } from '../../src/domain/report.js'
import type { User } from '../../src/domain/user.js'
import { createReportBody } from '../../src/handlers/report.schema.js'
import { camelKeys } from '../../src/http/camel-keys.js'
import { seedUser } from '../support/seed-user.js'
import { seedOrder } from './order.sample.js'

export type ReportRefs = Awaited<ReturnType<typeof seedReportRefs>>

/** Creates the records that samples refer to. */
export async function seedReportRefs(repositories: Repositories, user?: User) {
  return {
    user: user ?? (await seedUser(repositories)),
    order: await seedOrder(repositories, user),
  }
}

/** Returns a valid body of a create. Samples of different `n` have different unique values. */
export function reportSample(n: number, refs: ReportRefs): ReportApi['create'] {
  return {
    title: `title ${n}`,
    order_id: refs.order.id,
  }
}

/** Returns a sample as a draft for the repository. */
export function reportDraft(n: number, refs: ReportRefs) {
  const draft = camelKeys(createReportBody.parse(reportSample(n, refs)))
  return { ...draft, authorId: refs.user.id }
}

/** Starts above the numbers of other tests, so that unique values differ. */
let lastSeed = 60

/** Creates a record that samples of other features refer to. */
export async function seedReport(repositories: Repositories, user?: User): Promise<Report> {
  const refs = await seedReportRefs(repositories, user)
  const createdAt = new Date()
  return repositories.reports.create({
    ...reportDraft(++lastSeed, refs),
    createdAt,
    updatedAt: createdAt,
  })
}

/** An invalid value for each field. */
export const badReportFields = {
  title: 1,
  order_id: 1.5,
}
