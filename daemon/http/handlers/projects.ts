import { projectWire } from '../../api/records-to-json.ts'
import type { Project } from '../../domain/records.ts'
import { redacted } from '../../domain/redacted.ts'
import type { HandlerDeps, Handlers } from '../call.ts'

type Names = 'registerProject' | 'listProjects' | 'findProject' | 'updateProject' | 'removeProject'

export function projectHandlers({
  useCases: { projects },
  settings,
}: HandlerDeps): Pick<Handlers, Names> {
  const wire = (project: Project) => projectWire(project, settings.trashKeepMs)
  return {
    async registerProject({ body, actor }) {
      const input = {
        ...(body.repo_dir !== undefined && { repoDir: body.repo_dir }),
        ...(body.repo_url !== undefined && { repoUrl: body.repo_url }),
        ...(body.hosted !== undefined && { hosted: body.hosted }),
        ...(body.git_token !== undefined && { gitToken: redacted(body.git_token) }),
        ...(body.context !== undefined && { context: body.context }),
      }
      return { status: 201, body: wire(await projects.register(input, actor)) }
    },

    async listProjects({ visible }) {
      return { status: 200, body: (await projects.list(visible)).map(wire) }
    },

    async findProject({ params }) {
      return { status: 200, body: wire(await projects.find(params.id)) }
    },

    async updateProject({ params, body, actor }) {
      const changes = {
        ...(body.pause_after !== undefined && { pauseAfter: body.pause_after }),
        ...(body.destroy_after !== undefined && { destroyAfter: body.destroy_after }),
        ...(body.git_token !== undefined && {
          gitToken: body.git_token === '' ? null : redacted(body.git_token),
        }),
        ...(body.branches !== undefined && { branches: body.branches }),
        ...(body.ignore !== undefined && { ignore: body.ignore }),
        ...(body.max_environments !== undefined && { maxEnvironments: body.max_environments }),
      }
      return { status: 200, body: wire(await projects.update(params.id, changes, actor)) }
    },

    async removeProject({ params, query, actor }) {
      await projects.remove(params.id, { purgeData: query.purge_data ?? false }, actor)
      return { status: 204 }
    },
  }
}
