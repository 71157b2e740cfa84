import type { OrderLine, OrderLineDraft, OrderLineFilter } from '../domain/order-line.js'
import type { Repository } from './repository.js'

export type OrderLineRepository = Repository<OrderLine, OrderLineDraft, OrderLineFilter>
