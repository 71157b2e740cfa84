/** What an example is made of. */
export interface Recipe {
  readonly name: string
  /** Of `strata init`. */
  readonly options?: readonly string[]
  /** Argument lists of `strata`, in order. */
  readonly commands: readonly (readonly string[])[]
  /** Files that are written or edited by hand. */
  readonly own?: readonly string[]
}

export const recipes: readonly Recipe[]
