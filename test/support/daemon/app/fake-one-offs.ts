import type { AppSpec, OneOffEnd, OneOffIo, OneOffs } from '../../../../daemon/ports.ts'

/** One-off programs that run until the test ends them. */
export interface FakeOneOffs extends OneOffs {
  readonly runs: { readonly app: AppSpec; readonly io: OneOffIo; end(end: OneOffEnd): void }[]
}

export function createFakeOneOffs(): FakeOneOffs {
  const runs: FakeOneOffs['runs'] = []
  return {
    runs,
    run: (app, io) =>
      new Promise((resolve) => {
        runs.push({ app, io, end: resolve })
        io.signal.addEventListener('abort', () => resolve({ kind: 'aborted' }), { once: true })
        io.onStart()
      }),
  }
}
