import { spawnSync } from 'node:child_process'

/** Runs a script of package.json with the npm that started this process, if any. Returns whether it succeeded. */
export function runScript(...args) {
  const npm = process.env.npm_execpath
  const [command, npmArgs] = npm ? [process.execPath, [npm]] : ['npm', []]
  return spawnSync(command, [...npmArgs, 'run', ...args], { stdio: 'inherit' }).status === 0
}
