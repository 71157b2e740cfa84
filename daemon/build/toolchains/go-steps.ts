import { join } from 'node:path'
import { runTool, type ToolContext } from './tool-step.ts'

/** Builds a Go app with the module and build caches of its project. */
export async function runGoSteps(context: ToolContext, hostFlags: string): Promise<void> {
  const { plan, toolCache } = context
  if (plan.build === null) return
  const env = {
    GOMODCACHE: join(toolCache, 'go-mod'),
    GOCACHE: join(toolCache, 'go-build'),
    // The caches must be removable. A release has no history, from which Go could take a version.
    GOFLAGS: `${hostFlags} -modcacherw -buildvcs=false`.trim(),
  }
  await runTool(context, plan.build, { env, isRemote: true })
}
