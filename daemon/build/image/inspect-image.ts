import * as z from 'zod'
import type { Engine } from '../../engine/engine.ts'
import type { ImageRelease } from '../../engine/image-release.ts'

const schema = z.object({
  Id: z.string(),
  Config: z
    .object({
      User: z.string().default(''),
      WorkingDir: z.string().default(''),
      ExposedPorts: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
})

/** Returns the settings of an image that decide how its containers run. */
export async function inspectImage(
  engine: Engine,
  tag: string,
): Promise<Pick<ImageRelease, 'imageId' | 'workingFolder' | 'user' | 'exposedPort'>> {
  const { Id, Config } = schema.parse(await engine.call({ path: `/images/${tag}/json` }))
  const ports = Object.keys(Config?.ExposedPorts ?? {}).flatMap((name) => {
    const port = /^(\d+)\/tcp$/.exec(name)?.[1]
    return port === undefined ? [] : [Number(port)]
  })
  return {
    imageId: Id,
    workingFolder: Config?.WorkingDir ?? '',
    user: Config?.User ?? '',
    exposedPort: ports.length === 1 ? (ports[0] ?? null) : null,
  }
}
