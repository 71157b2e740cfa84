// http-proxy as in its readme, with keep-alive connections to the app.
import { Agent, createServer } from 'node:http'
import httpProxy from 'http-proxy'

const { PORT, TARGET } = process.env
const agent = new Agent({ keepAlive: true })
const proxy = httpProxy.createProxyServer({ target: TARGET, agent, xfwd: true })
createServer((request, response) => proxy.web(request, response)).listen(PORT, '127.0.0.1')
