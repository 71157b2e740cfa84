import { createPortWall } from '../../../daemon/walls/ports/port-wall.ts'

/** Raises one wall for each `from-to` argument at the same time, prints the statuses as JSON, and waits if told to. */
const [hostFolder = '', dataDir = '', wish = '', ...ranges] = process.argv.slice(2)
const lines: string[] = []
const log = (_: object, message: string) => void lines.push(message)
const walls = ranges.map((text) => {
  const [from = 0, to = 0] = text.split('-').map(Number)
  const logger = { info: log, warn: log }
  const daemonPorts = wish.startsWith('daemon:') ? [Number(wish.slice(7))] : []
  const options = { range: { from, to }, hostFolder, dataDir, logger, daemonPorts }
  return createPortWall({ ...options, checkMs: 300 })
})
await Promise.all(walls.map((wall) => wall.start()))
for (const wall of walls) await wall.keep(wish.startsWith('fixed:') ? [Number(wish.slice(6))] : [])
process.stdout.write(`${JSON.stringify(walls.map((wall) => wall.status()))}\n`)
if (wish !== 'stay') process.exit(0)
