/** Conditions on a value, which must meet all of them. NULL meets none. */
export interface ValueRange<Value> {
  equals?: Value | undefined
  gte?: Value | undefined
  gt?: Value | undefined
  lte?: Value | undefined
  lt?: Value | undefined
}
