// A server of node:http that answers one text: what a program of Node costs before it does anything.
import { createServer } from 'node:http'

const { PORT, BODY } = process.env
createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.setHeader('content-length', Buffer.byteLength(BODY))
  response.end(BODY)
}).listen(PORT, '127.0.0.1')
