import type { Page } from 'playwright-core'
import type { Environment, Project } from '../../../daemon/client/contract.ts'

/** An API with many live environments in front of a real one. */
export interface ManyEnvironments {
  readonly rows: Environment[]
  /** Replaces one row: the page sees it when it loads the list again. */
  change(index: number, changes: Partial<Environment>): void
}

/** Makes the API answer with `count` live environments of 40 projects. Call it before the page loads. */
export async function answerWithMany(page: Page, count: number): Promise<ManyEnvironments> {
  const projects = Array.from({ length: 40 }, (_, at) => projectOf(at + 1))
  const rows = Array.from({ length: count }, (_, at) => environmentOf(at + 1))
  await page.route('**/api/v1/environments', (route) => route.fulfill({ json: rows }))
  await page.route('**/api/v1/projects', (route) => route.fulfill({ json: projects }))
  return {
    rows,
    change(index, changes) {
      const row = rows[index]
      if (row) rows[index] = { ...row, ...changes }
    },
  }
}

const begin = Date.parse('2026-01-01T00:00:00.000Z')

function environmentOf(id: number): Environment {
  const time = new Date(begin + id * 60_000).toISOString()
  const projectId = 1 + (id % 40)
  const branch = id % 7 === 0 ? `feature/a-rather-long-name-of-a-branch-${id}` : `branch-${id}`
  return {
    id,
    project_id: projectId,
    branch: { name: branch, commit_sha: (id * 7919).toString(16).padStart(40, 'a') },
    state: id % 5 === 0 ? 'paused' : 'running',
    url: `branch-${id}--project-${projectId}.localhost`,
    created_at: time,
    updated_at: time,
    last_accessed_at: time,
    expires_at: null,
    host_port: 20_000 + id,
    public_port: 9080,
    container_name: null,
    node_id: 1,
    reason: null,
    processes: [],
  }
}

function projectOf(id: number): Project {
  return {
    id,
    name: `project-${id}`,
    repo_dir: null,
    repo_url: `https://git.example.com/team/project-${id}.git`,
    hosted: null,
    context: '',
    pause_after: '30m',
    destroy_after: '7d',
    default_branch: 'main',
    trash_keep: '30d',
    branches: [],
    ignore: [],
    max_environments: null,
    has_git_token: false,
    has_webhook_secret: false,
    created_at: new Date(begin).toISOString(),
  }
}
