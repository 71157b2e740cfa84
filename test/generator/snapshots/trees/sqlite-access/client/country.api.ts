/** JSON types of /api/v1/countries. An update leaves absent fields unchanged. */
export interface CountryApi {
  create: {
    name: string
  }
  update: Partial<CountryApi['create']>
  reply: {
    id: number
    name: string
    created_at: string
    updated_at: string
  }
  list: {
    countries: CountryApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
}
