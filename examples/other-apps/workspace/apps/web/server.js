const { readFileSync } = require('node:fs')
const { createServer } = require('node:http')

createServer((_request, response) => {
  response.end(readFileSync('page.txt'))
}).listen(Number(process.env.PORT), process.env.HOST)
