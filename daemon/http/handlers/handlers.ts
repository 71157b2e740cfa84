import type { HandlerDeps, Handlers } from '../call.ts'
import { activityHandlers } from './activity.ts'
import { backupHandlers } from './backups.ts'
import { deployHandlers } from './deploys.ts'
import { environmentHandlers } from './environments.ts'
import { nodeHandlers } from './nodes.ts'
import { operationHandlers } from './operations.ts'
import { projectHandlers } from './projects.ts'
import { secretHandlers } from './secrets.ts'
import { setupHandlers } from './setup.ts'
import { tokenHandlers } from './tokens.ts'
import { webhookHandlers } from './webhooks.ts'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...projectHandlers(deps),
    ...deployHandlers(deps),
    ...environmentHandlers(deps),
    ...secretHandlers(deps),
    ...tokenHandlers(deps),
    ...nodeHandlers(deps),
    ...operationHandlers(deps),
    ...backupHandlers(deps),
    ...setupHandlers(deps),
    ...activityHandlers(deps),
    ...webhookHandlers(deps),
  }
}
