import { Router } from 'express'
import type { Container } from './container.js'
import { createAuthRouter } from './handlers/auth.handler.js'
import { authDoc } from './handlers/auth.schema.js'
import { createCountryRouter } from './handlers/country.handler.js'
import { countryDoc } from './handlers/country.schema.js'
import { createMemoRouter } from './handlers/memo.handler.js'
import { memoDoc } from './handlers/memo.schema.js'
import { createOrderRouter } from './handlers/order.handler.js'
import { orderDoc } from './handlers/order.schema.js'
import { createOrderLineRouter } from './handlers/order-line.handler.js'
import { orderLineDoc } from './handlers/order-line.schema.js'
import { createParcelRouter } from './handlers/parcel.handler.js'
import { parcelDoc } from './handlers/parcel.schema.js'
import { createReportRouter } from './handlers/report.handler.js'
import { reportDoc } from './handlers/report.schema.js'
import { createSectionRouter } from './handlers/section.handler.js'
import { sectionDoc } from './handlers/section.schema.js'
import { createUploadRouter } from './handlers/upload.handler.js'
import { uploadDoc } from './handlers/upload.schema.js'
import { createRequireCaller } from './http/auth.js'
import type { ApiDoc } from './http/openapi.js'

/** Creates the router of /api/v1. */
export function createRoutes(container: Container): Router {
  const requireCaller = createRequireCaller(container.auth.authenticate)
  const api = Router()
  api.use('/auth', createAuthRouter(container.auth, requireCaller))
  api.use('/uploads', createUploadRouter(container.uploads, requireCaller))
  api.use('/countries', createCountryRouter(container.countries, requireCaller))
  api.use('/orders', createOrderRouter(container.orders, requireCaller))
  api.use('/order-lines', createOrderLineRouter(container.orderLines, requireCaller))
  api.use('/parcels', createParcelRouter(container.parcels, requireCaller))
  api.use('/memos', createMemoRouter(container.memos, requireCaller))
  api.use('/reports', createReportRouter(container.reports, requireCaller))
  api.use('/sections', createSectionRouter(container.sections, requireCaller))
  return api
}

/** The parts of /openapi.json that describe these routes. */
export const apiDocs: ApiDoc[] = [
  authDoc,
  uploadDoc,
  countryDoc,
  orderDoc,
  orderLineDoc,
  parcelDoc,
  memoDoc,
  reportDoc,
  sectionDoc,
]
