/** Tells a test that a step begins; the test may fail there, or stay. */
export type Reached = (step: string) => Promise<void>

export function createReached(
  reached: ((step: string) => void | Promise<void>) | undefined,
): Reached {
  return async (step) => {
    await reached?.(step)
  }
}
