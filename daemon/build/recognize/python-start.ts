import type { AppFiles } from './app-files.ts'
import { plain, type Start, withVariables } from './candidate.ts'

const address = '${HOST:-127.0.0.1}:${PORT}'

/**
 * Guesses the start command of a Python app from its packages and its modules. `packages` are normalized names. Returns
 * undefined if no convention fits.
 */
export function pythonStart(
  { texts, names }: Pick<AppFiles, 'texts' | 'names'>,
  packages: ReadonlySet<string>,
): { readonly start: Start; readonly reason: string } | undefined {
  if (names.has('manage.py')) return djangoStart(texts.get('manage.py') ?? '', packages)
  for (const name of moduleNames(texts)) {
    const text = texts.get(`${name}.py`) ?? ''
    const found = frameworkIn(name, text, packages)
    if (found) return found
  }
  const script = ['main.py', 'app.py', 'server.py'].find((name) => texts.has(name))
  if (script === undefined) return undefined
  return { start: plain('python', script), reason: `the start command runs ${script}` }
}

/** Modules in the order in which they are likely to hold the app. */
function moduleNames(texts: ReadonlyMap<string, string>): string[] {
  const usual = ['wsgi', 'asgi', 'app', 'main', 'application', 'server', 'api', 'run', 'index']
  const all = [...texts.keys()].flatMap((path) => /^(\w+)\.py$/.exec(path)?.[1] ?? [])
  return [
    ...usual.filter((name) => all.includes(name)),
    ...all.filter((name) => !usual.includes(name)),
  ]
}

function frameworkIn(module: string, text: string, packages: ReadonlySet<string>) {
  const [, asgi, framework] =
    /^(\w+)\s*(?::[^=\n]+)?=\s*(FastAPI|Starlette|Litestar)\(/m.exec(text) ?? []
  if (asgi !== undefined && framework !== undefined) {
    return asgiStart(`${module}:${asgi}`, `${framework} in ${module}.py`, packages)
  }
  const [, wsgi] = /^(\w+)\s*(?::[^=\n]+)?=\s*(?:flask\.)?Flask\(/m.exec(text) ?? []
  const target = wsgi === undefined && /^def create_app\(\s*\)/m.test(text) ? 'create_app()' : wsgi
  const isFlask = packages.has('flask') || /^(?:from|import) flask\b/m.test(text)
  if (target === undefined || !isFlask) return undefined
  const what = `Flask in ${module}.py`
  if (packages.has('gunicorn')) return gunicornStart(`${module}:${target}`, what)
  const app = target === 'create_app()' ? module : `${module}:${target}`
  const host = '${HOST:-127.0.0.1}'
  return {
    start: withVariables('flask', '--app', app, 'run', '--host', host, '--port', '${PORT}'),
    reason: `${what}, served by the server for development: add gunicorn to the requirements`,
  }
}

function asgiStart(app: string, what: string, packages: ReadonlySet<string>) {
  const args = ['--host', '${HOST:-127.0.0.1}', '--port', '${PORT}']
  if (packages.has('uvicorn') || packages.has('fastapi[standard]')) {
    return { start: withVariables('uvicorn', app, ...args), reason: `${what}, served by uvicorn` }
  }
  if (packages.has('hypercorn')) {
    return {
      start: withVariables('hypercorn', app, '--bind', address),
      reason: `${what}, served by hypercorn`,
    }
  }
  return undefined
}

function gunicornStart(app: string, what: string) {
  return {
    start: withVariables('gunicorn', app, '--bind', address),
    reason: `${what}, served by gunicorn`,
  }
}

function djangoStart(manage: string, packages: ReadonlySet<string>) {
  const [, project] = /DJANGO_SETTINGS_MODULE["']\s*,\s*["']([\w.]+?)\.settings/.exec(manage) ?? []
  if (project !== undefined && packages.has('gunicorn')) {
    return gunicornStart(`${project}.wsgi:application`, 'Django, because there is manage.py')
  }
  if (project !== undefined && packages.has('uvicorn')) {
    return asgiStart(`${project}.asgi:application`, 'Django, because there is manage.py', packages)
  }
  return {
    start: withVariables('python', 'manage.py', 'runserver', '--noreload', address),
    reason: 'Django, served by the server for development: add gunicorn to the requirements',
  }
}
