import type { CommonOptions, Session } from '../connection/session.ts'
import { requireProject } from '../projects/projects.ts'
import { runWithDaemon } from '../run/run-command.ts'

interface WebhookOptions extends CommonOptions {
  readonly project?: string
}

/** `strata webhook create`: prints the values that the webhook settings of a git host ask for. */
export function createWebhookSecret(options: WebhookOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    const input = { params: { id: project.id } }
    const { body } = await client.call('createWebhookSecret', input, { signal })
    const addresses = webhookAddresses(session)
    output.result({ ...body, addresses }, () => webhookLines(body.webhook_secret, addresses))
    output.note(`  only webhooks of ${project.name} may use this secret; it is not shown again`)
  })
}

/** `strata webhook delete` */
export function deleteWebhookSecret(options: WebhookOptions): Promise<void> {
  return runWithDaemon(options, async (session) => {
    const { client, output, signal } = session
    const { project } = await requireProject(session, options.project)
    await client.call('removeWebhookSecret', { params: { id: project.id } }, { signal })
    output.note(`${project.name} has no webhook secret of its own any more`)
  })
}

/** Returns the addresses that the daemon receives webhooks at, one for each kind of git host. */
export function webhookAddresses({ url }: Pick<Session, 'url'>): string[] {
  return ['github', 'gitlab', 'gitea', 'gogs'].map((host) => `${url}/api/v1/webhooks/${host}`)
}

export function webhookLines(secret: string, addresses: readonly string[]): string[] {
  return [`secret   ${secret}`, ...addresses.map((address) => `address  ${address}`)]
}
