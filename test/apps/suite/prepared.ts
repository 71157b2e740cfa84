import type { AppUnderTest, Check } from './check.ts'
import type { Resource } from './resource.ts'

export interface Prepared {
  /** With the caller's credential. */
  readonly app: AppUnderTest
  /** Whose bodies refer to what is there. */
  readonly resource: Resource
}

/** The application and the resource, ready for writing. */
export async function prepared(app: AppUnderTest, resource: Resource): Promise<Prepared> {
  if (resource.prepare === undefined) return { app, resource }
  const { headers, body } = await resource.prepare(app)
  return { app: { ...app, headers }, resource: { ...resource, body } }
}

/** The checks of a resource, each of which prepares it for itself first. */
export function preparedChecks(
  resource: Resource,
  checksOf: (resource: Resource) => readonly Check[],
): readonly Check[] {
  if (resource.prepare === undefined) return checksOf(resource)
  return checksOf(resource).map(({ title }, at) => ({
    title,
    run: async (app) => {
      const ready = await prepared(app, resource)
      await checksOf(ready.resource)[at]?.run(ready.app)
    },
  }))
}
