/**
 * Thrown if a file lacks an expected piece of code; `wireFeature` converts it to a result. The message
 * is a noun phrase for the missing piece: `the function createRoutes`.
 */
export class PlaceNotFound extends Error {
  constructor(missing: string) {
    super(missing)
    this.name = 'PlaceNotFound'
  }
}
