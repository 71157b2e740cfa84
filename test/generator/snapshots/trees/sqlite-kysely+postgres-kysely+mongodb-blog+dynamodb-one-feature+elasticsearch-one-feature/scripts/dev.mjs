// `npm run dev`: runs the app from its sources. tsx restarts the app when a source file changes. In package.json,
// `exec` replaces npm's shell with this process: a shell would not pass on the signals that npm receives.
import { spawn } from 'node:child_process'

const tsx = ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/main.ts']
const app = spawn(process.execPath, tsx, { stdio: 'inherit' })
app.on('exit', (code) => process.exit(code ?? 0))

const stop = () => app.kill()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
// SIGHUP and SIGKILL end npm, which cannot pass them on. This process then has another parent.
const npm = process.ppid
setInterval(() => process.ppid !== npm && stop(), 500)
