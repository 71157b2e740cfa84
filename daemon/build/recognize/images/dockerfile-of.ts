import { DaemonError } from '../../../errors.ts'
import type { BuildPlan } from '../../../ports.ts'
import { goImage } from './go-image.ts'
import { defaultImages, type ImageSettings } from './image-settings.ts'
import { nodeImage } from './node-image.ts'
import { pythonImage } from './python-image.ts'
import { staticImage } from './static-image.ts'

/**
 * Returns the Dockerfile of a recognized app, for a context with the whole checkout. BuildKit of Docker 20.10 or newer
 * builds it without the network for the syntax. Throws DaemonError `unprocessable` for a kind without an image; a plan
 * with a Dockerfile of its own needs none.
 */
export function dockerfileOf(plan: BuildPlan, images: ImageSettings = defaultImages): string {
  return `${instructionsOf(plan, images).join('\n')}\n`
}

function instructionsOf(plan: BuildPlan, images: ImageSettings): string[] {
  const { app } = plan
  switch (app.kind) {
    case 'node':
      return nodeImage(plan, app, images)
    case 'python':
      return pythonImage(plan, app, images)
    case 'go':
      return goImage(plan, app, images)
    case 'static':
      return staticImage(plan, app.site ?? { folder: '', isSpa: false }, images)
    case 'dockerfile':
      throw new DaemonError('internal', 'the app has its own Dockerfile')
    case 'command':
      throw new DaemonError(
        'unprocessable',
        `no image is known for a start command with ${plan.launch.start[0]}: add a Dockerfile`,
      )
  }
}
