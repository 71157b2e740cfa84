const { writeFileSync } = require('node:fs')
const { greet } = require('greeting')

writeFileSync('page.txt', `${greet('workspace')}\n`)
