import { createServer } from 'node:http'
import { z } from 'zod'

// The smallest application for mutants: needs one package from node_modules.
const port = z.coerce.number().parse(process.env.PORT)

createServer((_req, res) => {
  res.setHeader('Content-Type', 'application/json')
  res.end(JSON.stringify({ status: 'ok', timestamp: new Date().toISOString() }))
}).listen(port, '127.0.0.1')
