import { createServer } from 'node:http'
import { z } from 'zod'

// Just enough of an application to boot a broken copy of: it needs a package from node_modules.
const port = z.coerce.number().parse(process.env.PORT)

createServer((_req, res) => {
  res.setHeader('Content-Type', 'application/json')
  res.end(JSON.stringify({ status: 'ok', timestamp: new Date().toISOString() }))
}).listen(port, '127.0.0.1')
