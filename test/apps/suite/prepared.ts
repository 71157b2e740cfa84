import type { AppUnderTest, Check } from './check.ts'
import type { Resource } from './resource.ts'

export interface Prepared {
  /** The application with the credential of the caller. */
  readonly app: AppUnderTest
  /** The resource with bodies that refer to existing records. */
  readonly resource: Resource
}

/** Prepares an application and a resource for writes. */
export async function prepared(app: AppUnderTest, resource: Resource): Promise<Prepared> {
  if (resource.prepare === undefined) return { app, resource }
  const { headers, body } = await resource.prepare(app)
  return { app: { ...app, headers }, resource: { ...resource, body } }
}

/** Returns the checks of a resource; each check prepares the resource first. */
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
