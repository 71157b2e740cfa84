import type { Order, OrderDetails, OrderDraft, OrderFilter } from '../domain/order.js'
import type { Repository } from './repository.js'

type Records = Repository<Order, OrderDraft & Pick<Order, 'customerId'>, OrderFilter, OrderDetails>

export interface OrderRepository extends Records {
  /** Returns the id of the customer without reading the order. Undefined if the order does not exist. */
  owner(id: number): Promise<number | undefined>
}
