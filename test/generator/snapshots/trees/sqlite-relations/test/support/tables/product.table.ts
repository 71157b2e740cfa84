import type {
  Product,
  ProductDetails,
  ProductDraft,
  ProductFilter,
} from '../../../src/domain/product.js'
import type { TableOf } from '../memory-tables.js'

/** Describes products for the in-memory store. */
export const productTable: TableOf<Product, ProductDraft, ProductFilter, ProductDetails> = {
  name: 'products',
  references: [
    {
      key: 'categoryId',
      as: 'category',
      label: 'name',
      table: 'categories',
      words: 'category',
      cascade: false,
    },
  ],
  many: [{ field: 'labels', path: 'labels', table: 'labels', key: 'id', filter: 'label' }],
  children: [{ field: 'orderLines', table: 'order_lines', key: 'productId', whole: 'product' }],
  filters: ['categoryId', 'soldOut'],
  ranges: ['price', 'made'],
  sorts: ['categoryId'],
  decimals: ['price'],
  search: ['name', 'note'],
}
