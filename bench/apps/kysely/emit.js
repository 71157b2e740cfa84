// Emits the user app with `--orm kysely` into `user-app`, with the strata of this repository, and builds it.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const repository = fileURLToPath(new URL('../../../', import.meta.url))
const run = (script, args, cwd) =>
  execFileSync(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })

const app = `${folder}user-app`
rmSync(app, { recursive: true, force: true })
const strata = `${repository}bin/strata.js`
run(strata, ['init', 'user-app', '--orm', 'kysely', '--no-install', '--no-git'], folder)
run(strata, ['feature', 'User', 'name:string', 'email:email', 'age:int'], app)
run(`${repository}node_modules/typescript/bin/tsc`, ['-p', 'tsconfig.build.json'], app)
