import type { Site } from '../../domain/recognized-app.ts'

/** Path of the file server in a release, relative to the folder of the app. The build copies it there. */
export const siteServer = '.strata/serve.cjs'

/** Returns the command that serves a site. The server is part of the release, so that old releases keep theirs. */
export function siteStart({ folder, isSpa }: Site): string[] {
  return ['node', siteServer, folder === '' ? '.' : folder, ...(isSpa ? ['--spa'] : [])]
}
