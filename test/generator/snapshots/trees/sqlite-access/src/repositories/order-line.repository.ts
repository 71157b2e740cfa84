import type {
  OrderLine,
  OrderLineDetails,
  OrderLineDraft,
  OrderLineFilter,
} from '../domain/order-line.js'
import type { Repository } from './repository.js'

type Records = Repository<OrderLine, OrderLineDraft, OrderLineFilter, OrderLineDetails>

export interface OrderLineRepository extends Records {
  /** Returns the id of the customer of the order without reading the order line. Undefined if the order line does not exist. */
  owner(id: number): Promise<number | undefined>
}
