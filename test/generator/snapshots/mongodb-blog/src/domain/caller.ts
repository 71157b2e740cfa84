/** The user on whose behalf a request is made. */
export interface Caller {
  id: number
  email: string
}
