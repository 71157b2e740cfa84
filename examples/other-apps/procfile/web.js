const { createServer } = require('node:http')
const { parseArgs } = require('node:util')
const ms = require('ms')

const { values } = parseArgs({ options: { port: { type: 'string' } } })

createServer((_request, response) => {
  response.end(`procfile: a minute has ${ms('1m')} ms\n`)
}).listen(Number(values.port), process.env.HOST)
