import type { Product, ProductDetails, ProductDraft, ProductFilter } from '../domain/product.js'
import type { Repository } from './repository.js'

export type ProductRepository = Repository<Product, ProductDraft, ProductFilter, ProductDetails>
