// Collects the licenses of the packages that the command line contains.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the names, versions and license texts of the packages with these files. */
export function licensesOf(moduleIds) {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    return `${name} ${version} (${license})\n\n${licenseTexts(folder, name).join('\n\n')}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

function licenseTexts(folder, name) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
  const paths = files.map((file) => join(folder, file))
  // This package contains the compiler of TypeScript, under the license that TypeScript still has.
  const typescript = join(folder, '../../typescript/LICENSE')
  if (name === '@ts-morph/common' && existsSync(typescript)) paths.push(typescript)
  return paths.map((path) => readFileSync(path, 'utf8').trim())
}
