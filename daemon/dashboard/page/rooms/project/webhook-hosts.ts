/** A git host with the words of its own form. */
export interface WebhookHost {
  readonly id: 'github' | 'gitlab' | 'gitea' | 'gogs'
  readonly title: string
  /** The way to the form in the repository at the host. */
  readonly way: string
  readonly urlLabel: string
  readonly secretLabel: string
  /** Other fields to fill in: the label and the value. */
  readonly fields: readonly (readonly [label: string, value: string])[]
}

export const webhookHosts: readonly WebhookHost[] = [
  {
    id: 'github',
    title: 'GitHub',
    way: 'Settings → Webhooks → Add webhook',
    urlLabel: 'Payload URL',
    secretLabel: 'Secret',
    fields: [
      ['Content type', 'application/json'],
      ['Which events would you like to trigger this webhook?', 'Just the push event'],
      ['Active', 'ticked'],
    ],
  },
  {
    id: 'gitlab',
    title: 'GitLab',
    way: 'Settings → Webhooks → Add new webhook',
    urlLabel: 'URL',
    secretLabel: 'Secret token',
    fields: [['Trigger', 'Push events']],
  },
  {
    id: 'gitea',
    title: 'Gitea',
    way: 'Settings → Webhooks → Add Webhook → Gitea',
    urlLabel: 'Target URL',
    secretLabel: 'Secret',
    fields: [
      ['HTTP Method', 'POST'],
      ['POST Content Type', 'application/json'],
      ['Trigger On', 'Push Events'],
    ],
  },
  {
    id: 'gogs',
    title: 'Gogs',
    way: 'Settings → Webhooks → Add a new webhook → Gogs',
    urlLabel: 'Payload URL',
    secretLabel: 'Secret',
    fields: [
      ['Content Type', 'application/json'],
      ['When should this webhook be triggered?', 'Just the push event'],
    ],
  },
]
