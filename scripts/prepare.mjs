// Builds dist/ after an installation. An installation in the folder of an example lacks the build
// tools, so nothing is built.
import { createRequire } from 'node:module'

const { resolve } = createRequire(import.meta.url)

if (['handlebars', 'rolldown'].every(isInstalled)) await import('./build.mjs')

function isInstalled(name) {
  try {
    resolve(name)
    return true
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}
