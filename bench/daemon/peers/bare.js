// A node:http server with a constant response: the minimal cost of a Node program.
import { createServer } from 'node:http'

const { PORT, BODY } = process.env
createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', Buffer.byteLength(BODY))
  response.end(BODY)
}).listen(PORT, '127.0.0.1')
