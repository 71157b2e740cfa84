import { spawnSync } from 'node:child_process'

/** Runs a script of package.json, with the npm that runs this one where there is one. */
export function runScript(...args) {
  const npm = process.env.npm_execpath
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []]
  return spawnSync(command, [...before, 'run', ...args], { stdio: 'inherit' }).status === 0
}
