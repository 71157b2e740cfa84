import type { HandlerDeps, Handlers } from '../call.ts'
import { aboutDaemonHandlers } from './about-daemon.ts'
import { backupHandlers } from './backups.ts'
import { commandHandlers } from './commands.ts'
import { databaseHandlers } from './databases.ts'
import { deployHandlers } from './deploys.ts'
import { domainHandlers } from './domains.ts'
import { environmentHandlers } from './environments.ts'
import { eventHandlers } from './events.ts'
import { externalProxyHandlers } from './external-proxy.ts'
import { gitHandlers } from './git.ts'
import { nodeHandlers } from './nodes.ts'
import { operationHandlers } from './operations.ts'
import { projectHandlers } from './projects.ts'
import { receiverHandlers } from './receivers.ts'
import { scheduleHandlers } from './schedules.ts'
import { secretHandlers } from './secrets.ts'
import { tokenHandlers } from './tokens.ts'
import { trashHandlers } from './trash.ts'
import { usageHandlers } from './usage.ts'
import { webhookSecretHandlers } from './webhook-secrets.ts'
import { webhookHandlers } from './webhooks.ts'

export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...projectHandlers(deps),
    ...deployHandlers(deps),
    ...environmentHandlers(deps),
    ...commandHandlers(deps),
    ...scheduleHandlers(deps),
    ...eventHandlers(deps),
    ...usageHandlers(deps),
    ...secretHandlers(deps),
    ...tokenHandlers(deps),
    ...trashHandlers(deps),
    ...databaseHandlers(deps),
    ...nodeHandlers(deps),
    ...operationHandlers(deps),
    ...backupHandlers(deps),
    ...aboutDaemonHandlers(deps),
    ...externalProxyHandlers(deps),
    ...webhookHandlers(deps),
    ...webhookSecretHandlers(deps),
    ...domainHandlers(deps),
    ...receiverHandlers(deps),
    ...gitHandlers(deps),
  }
}
