/** Called with a failpoint's name, such as `deploy:start`. Throwing, stalling or killing the process simulates a fault. */
export type FailpointHook = (name: string) => void | Promise<void>

/** Named points at which tests interrupt the daemon. Without a hook each hit is a no-op. */
export interface Failpoints {
  hit(name: string): Promise<void>
}

export function createFailpoints(hook: FailpointHook = () => undefined): Failpoints {
  return {
    async hit(name) {
      await hook(name)
    },
  }
}
