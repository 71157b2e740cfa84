import type { Owner, Processes } from '../../../../src/generator/write/owner.ts'

/** Processes that a test starts and kills. Each `start` is one run. */
export function fakeProcesses() {
  const alive = new Set<string>()
  let count = 0
  return {
    start(): Processes & { die(): void } {
      const id = (++count).toString(16).padStart(12, '0')
      const self: Owner = { pid: 1000 + count, start: '7', id, host: 'here' }
      alive.add(id)
      return {
        self: () => self,
        isAlive: (owner) => alive.has(owner.id),
        die: () => {
          alive.delete(id)
        },
      }
    },
  }
}
