import { createRequire } from 'node:module'
import { Server } from 'node:net'
import { join } from 'node:path'

/**
 * Loaded into an app before its own code. Sends the routes of its Express routers to the process that started it, as
 * `GET /path/{id}`, when a server of the app listens.
 */

type Router = object

interface Found {
  readonly routes: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> }[]
  readonly mounts: { readonly path: string; readonly router: Router }[]
}

interface RouterMethods {
  route(path: unknown): { readonly methods: Readonly<Record<string, boolean>> }
  use(...handlers: unknown[]): unknown
}

interface App {
  readonly router: Router
  route(path: unknown): unknown
  use(...handlers: unknown[]): unknown
}

const found = new Map<Router, Found>()
const routersOfApps = new Set<Router>()

try {
  record()
} catch {
  // Without Express there are no routes to name.
}

function record(): void {
  const project = createRequire(join(process.cwd(), 'package.json'))
  const express = createRequire(project.resolve('express'))
  const { prototype } = express('router') as { prototype: RouterMethods }
  recordApps((project('express') as { application: App }).application)
  const { route, use } = prototype
  prototype.route = function (this: Router, path) {
    const created = route.call(this as RouterMethods, path)
    for (const each of pathsOf(path))
      foundOf(this).routes.push({ path: each, methods: created.methods })
    return created
  }
  prototype.use = function (this: Router, ...handlers) {
    mount(this, handlers, isRouter)
    return use.apply(this as RouterMethods, handlers)
  }
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...options: unknown[]) {
    this.once('listening', () => process.send?.({ served: served() }))
    return Reflect.apply(listen, this, options)
  }
}

/** An app in an app is mounted by a function that does not name it. */
function recordApps(application: App): void {
  const { route, use } = application
  application.route = function (this: App, path) {
    routersOfApps.add(this.router)
    return route.call(this, path)
  }
  application.use = function (this: App, ...handlers) {
    routersOfApps.add(this.router)
    mount(this.router, handlers, isApp)
    return use.apply(this, handlers)
  }
}

function mount(
  router: Router,
  handlers: readonly unknown[],
  isMounted: (handler: unknown) => boolean,
): void {
  const [first, ...rest] = handlers
  const hasPath = rest.length > 0 && [first].flat().every((each) => typeof each !== 'function')
  for (const path of hasPath ? pathsOf(first) : ['/'])
    for (const each of handlers.flat(Number.POSITIVE_INFINITY).filter(isMounted))
      foundOf(router).mounts.push({ path, router: isApp(each) ? each.router : (each as Router) })
}

function served(): string[] {
  const mounted = new Set(
    [...found.values()].flatMap(({ mounts }) => mounts.map((each) => each.router)),
  )
  const roots = [...routersOfApps].filter((router) => !mounted.has(router))
  return [...new Set(roots.flatMap((router) => routesOf(router, '', new Set())))].sort()
}

function routesOf(router: Router, prefix: string, above: ReadonlySet<Router>): string[] {
  if (above.has(router)) return []
  const { routes, mounts } = foundOf(router)
  const inside = new Set([...above, router])
  return [
    ...routes.flatMap(({ path, methods }) =>
      ['get', 'post', 'put', 'patch', 'delete']
        .filter((method) => methods[method])
        .map((method) => `${method.toUpperCase()} ${pathOf(`${prefix}/${path}`)}`),
    ),
    ...mounts.flatMap(({ path, router }) => routesOf(router, `${prefix}/${path}`, inside)),
  ]
}

/** Returns a path as OpenAPI writes it: `//tasks/:id/` is `/tasks/{id}`. */
function pathOf(joined: string): string {
  const single = joined.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return single.replace(/[:*](\w+)/g, '{$1}')
}

function foundOf(router: Router): Found {
  const known = found.get(router)
  if (known) return known
  const created: Found = { routes: [], mounts: [] }
  found.set(router, created)
  return created
}

/** Lists the paths of an argument. A regular expression has no path in OpenAPI. */
function pathsOf(argument: unknown): string[] {
  return [argument].flat().filter((each) => typeof each === 'string')
}

function isApp(handler: unknown): handler is App {
  return typeof handler === 'function' && 'handle' in handler && 'set' in handler
}

function isRouter(handler: unknown): handler is Router {
  return typeof handler === 'function' && 'stack' in handler && 'handle' in handler
}
