import type { Notification, Statuses } from '../../../../client/contract.ts'

/** An event of a project that a webhook can get. The server alone has events of backups. */
export type ProjectEvent = Exclude<Notification['events'][number], 'backup.failed'>

export const eventTexts: Readonly<Record<ProjectEvent, string>> = {
  'deploy.succeeded': 'A deploy succeeds',
  'deploy.failed': 'A deploy fails',
  'app.crashed': 'An app crashes',
  'certificate.failed': 'A domain gets no certificate',
}

// The cast holds: the record has exactly these keys.
export const projectEvents = Object.keys(eventTexts) as ProjectEvent[]

export const statusHosts: Readonly<
  Record<Statuses['host'], { readonly title: string; readonly right: string }>
> = {
  github: {
    title: 'GitHub',
    right: 'A fine-grained token for this repository with write access to Commit statuses.',
  },
  gitlab: {
    title: 'GitLab',
    right: 'A project access token with the scope api and the role Developer.',
  },
  gitea: { title: 'Gitea', right: 'A token with write access to repository.' },
}
