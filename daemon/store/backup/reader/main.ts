import { enterVolume } from './enter-volume.ts'
import { createSender } from './send.ts'
import { sendVolume } from './walk.ts'

/**
 * Reads one volume and writes its entries to stdout:
 * `strata-volume-reader <bytes to leave free> <volumes> <project> <volume> <snapshots>`.
 * Runs as the user that owns the volume, so that hostile content gets no more than its own rights.
 */
const [reserve = '', volumes = '', project = '', volume = '', snapshots = ''] =
  process.argv.slice(2)

async function main(): Promise<void> {
  const sender = createSender(process.stdout)
  const place = enterVolume({ volumes, project, volume, snapshots })
  await sender.send({ kind: 'ready', uid: place.uid })
  try {
    await sendVolume(sender, { folder: place.snapshots, reserveBytes: Number(reserve) })
  } finally {
    place.leave()
  }
  await sender.send({ kind: 'done' })
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
