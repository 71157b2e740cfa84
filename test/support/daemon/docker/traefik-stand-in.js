// Stands in for Traefik in an image `traefik:…`: reads the same static file, polls its HTTP provider, and forwards requests.
const { readFileSync } = require('node:fs')
const http = require('node:http')

const { entryPoints, providers } = JSON.parse(readFileSync('/etc/traefik/traefik.yml', 'utf8'))
const { endpoint, headers, pollInterval } = providers.http
const services = new Map()

function poll() {
  http
    .get(endpoint, { headers }, async (response) => {
      const chunks = await response.toArray()
      if (response.statusCode !== 200) return console.log(`status ${response.statusCode}`)
      const config = JSON.parse(Buffer.concat(chunks)).http
      services.clear()
      for (const { rule, service } of Object.values(config.routers ?? {})) {
        const [server] = config.services[service].loadBalancer.servers
        services.set(/^Host\(`(.+)`\)$/.exec(rule)[1], server.url)
      }
    })
    .on('error', ({ message }) => console.log(message))
}
poll()
setInterval(poll, Number.parseInt(pollInterval, 10) * 1000)

http
  .createServer((request, response) => {
    const url = services.get(request.headers.host)
    if (url === undefined) return response.writeHead(404).end('404 page not found')
    const { method, headers } = request
    const forwarded = http.request(url + request.url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.writeHead(502).end())
    request.pipe(forwarded)
  })
  .listen(Number(entryPoints.web.address.slice(1)))
