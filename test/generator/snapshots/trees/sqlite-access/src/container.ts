import type { Passwords } from './infra/passwords.js'
import type { Store } from './infra/store.js'
import type { Tokens } from './infra/tokens.js'
import type { Uploads } from './infra/uploads.js'
import { createCountryRepository } from './repositories/country.repository.prisma.js'
import { createMemoRepository } from './repositories/memo.repository.prisma.js'
import { createOrderRepository } from './repositories/order.repository.prisma.js'
import { createOrderLineRepository } from './repositories/order-line.repository.prisma.js'
import { createParcelRepository } from './repositories/parcel.repository.prisma.js'
import { createReportRepository } from './repositories/report.repository.prisma.js'
import { createSectionRepository } from './repositories/section.repository.prisma.js'
import { createUserRepository } from './repositories/user.repository.prisma.js'
import { createAuthService } from './use-cases/auth.service.js'
import { createCountryService } from './use-cases/country.service.js'
import { createMemoService } from './use-cases/memo.service.js'
import { createOrderService } from './use-cases/order.service.js'
import { createOrderLineService } from './use-cases/order-line.service.js'
import { createParcelService } from './use-cases/parcel.service.js'
import { createReportService } from './use-cases/report.service.js'
import { createSectionService } from './use-cases/section.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    users: createUserRepository(store),
    countries: createCountryRepository(store),
    orders: createOrderRepository(store),
    orderLines: createOrderLineRepository(store),
    parcels: createParcelRepository(store),
    memos: createMemoRepository(store),
    reports: createReportRepository(store),
    sections: createSectionRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Dependencies of the use-cases besides repositories. */
interface Tools {
  passwords: Passwords
  tokens: Tokens
  uploads: Uploads
}

/** Creates the use-cases. `now` is the clock. */
export function createContainer(
  repositories: Repositories,
  { passwords, tokens, uploads }: Tools,
  now = () => new Date(),
) {
  return {
    auth: createAuthService({ users: repositories.users, passwords, tokens, now }),
    uploads,
    countries: createCountryService({ repository: repositories.countries, now }),
    orders: createOrderService({ repository: repositories.orders, now }),
    orderLines: createOrderLineService({
      repository: repositories.orderLines,
      orderRepository: repositories.orders,
      now,
    }),
    parcels: createParcelService({
      repository: repositories.parcels,
      orderLineRepository: repositories.orderLines,
      now,
    }),
    memos: createMemoService({
      repository: repositories.memos,
      orderRepository: repositories.orders,
      now,
    }),
    reports: createReportService({
      repository: repositories.reports,
      orderRepository: repositories.orders,
      now,
    }),
    sections: createSectionService({
      repository: repositories.sections,
      reportRepository: repositories.reports,
      now,
    }),
  }
}

export type Container = ReturnType<typeof createContainer>
