import type { RequestHandler } from 'express'
import { collectDefaultMetrics, Histogram, register } from 'prom-client'
import { statusOf } from './request-log.js'

collectDefaultMetrics()

const requests = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Number and duration of requests by method, route and status',
  labelNames: ['method', 'route', 'status'],
})

export const observe: RequestHandler = (req, res, next) => {
  const { method, path } = req
  const end = requests.startTimer()
  res.once('close', () => {
    end({
      method,
      route: req.route ? patternOf(path, req.route.path) : 'none',
      status: statusOf(res),
    })
  })
  next()
}

export const serveMetrics: RequestHandler = async (_req, res) => {
  res.type(register.contentType).send(await register.metrics())
}

/** Returns the pattern of a path, for example `/api/v1/users/:id`. `route` is the pattern of its last segments. */
function patternOf(path: string, route: string): string {
  const own = segmentsOf(route)
  const mount = segmentsOf(path.toLowerCase()).toSpliced(-own.length, own.length)
  return `/${[...mount, ...own].join('/')}`
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean)
}
