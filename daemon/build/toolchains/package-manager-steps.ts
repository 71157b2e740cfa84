import { join } from 'node:path'
import type { RecognizedNode } from '../../domain/recognized-app.ts'
import { runTool, type ToolContext } from './tool-step.ts'

/**
 * Installs with pnpm or Yarn, and builds. Packages are copied from the download cache of the project, so that a release
 * can't change the packages of another one.
 */
export async function runManagerSteps(context: ToolContext, app: RecognizedNode): Promise<void> {
  const { plan, checkout, root, toolCache } = context
  const { name, isModern } = app.packageManager
  const folder = app.workspace === null ? root : join(checkout, app.workspace)
  const env = {
    npm_config_store_dir: join(toolCache, 'pnpm'),
    npm_config_package_import_method: 'copy',
    npm_config_manage_package_manager_versions: 'false',
    npm_config_update_notifier: 'false',
    ...(name === 'yarn' && !isModern ? { YARN_CACHE_FOLDER: join(toolCache, 'yarn') } : {}),
    YARN_GLOBAL_FOLDER: join(toolCache, 'yarn-modern'),
    YARN_ENABLE_TELEMETRY: '0',
  }
  if (plan.install !== null) await runTool(context, plan.install, { env, isRemote: true, folder })
  if (plan.build !== null) await runTool(context, plan.build, { env })
  const isPruned = name === 'pnpm' && app.workspace === null && app.hasDevDependencies
  if (plan.install !== null && isPruned) {
    await runTool(context, ['pnpm', 'prune', '--prod', '--ignore-scripts'], { env, folder })
  }
}
