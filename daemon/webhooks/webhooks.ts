import type { HostName, WebhookHost } from './event.ts'
import { gitea, gogs } from './gitea.ts'
import { github } from './github.ts'
import { gitlab } from './gitlab.ts'

export const webhookHosts: Readonly<Record<HostName, WebhookHost>> = {
  github,
  gitlab,
  gitea,
  gogs,
}
