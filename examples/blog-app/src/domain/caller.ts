/** The authenticated user of a request. */
export interface Caller {
  id: number
  email: string
}
