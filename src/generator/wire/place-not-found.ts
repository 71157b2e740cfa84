/**
 * Thrown within `wire/` where a file is not as expected; `wireFeature` turns it into a result. The
 * message is a noun phrase for what was looked for: `the function createRoutes`.
 */
export class PlaceNotFound extends Error {
  constructor(missing: string) {
    super(missing)
    this.name = 'PlaceNotFound'
  }
}
