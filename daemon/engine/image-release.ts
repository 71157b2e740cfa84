import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeDurably } from '../durable-files.ts'

/**
 * The description of a release that is an image. The builder writes it into the release folder, which is otherwise
 * empty, so that releases of both runtimes are kept and removed in the same way.
 */
const schema = z.object({
  imageId: z.string().min(1),
  tag: z.string().min(1),
  /** Command instead of the image's own; null: the image's. */
  command: z.array(z.string()).nullable(),
  /** Working folder of the image. */
  workingFolder: z.string(),
  /** User of the image; '' for root. */
  user: z.string(),
  /** TCP port that the image exposes; null: none, or several. */
  exposedPort: z.number().int().nullable(),
})
export type ImageRelease = z.infer<typeof schema>

const fileName = 'strata-image.json'

export async function writeImageRelease(folder: string, release: ImageRelease): Promise<void> {
  await writeDurably(join(folder, fileName), JSON.stringify(release))
}

/** Returns the description; undefined if the folder has none, as after a change of the runtime. */
export async function readImageRelease(folder: string): Promise<ImageRelease | undefined> {
  try {
    const text = await readFile(join(folder, fileName), 'utf8')
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
