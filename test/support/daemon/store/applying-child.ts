import { applyStagedRestore } from '../../../../daemon/store/backup/apply.ts'
import { dieAtFailpoint } from './die-at-failpoint.ts'

/** Applies a staged restore: `child <data folder> <database> <key file>`. */
const [dataDir = '', databaseFile = '', keyFile = ''] = process.argv.slice(2)

applyStagedRestore({
  dataDir,
  databaseFile,
  keyFile,
  masterKey: null,
  now: Date.now,
  failpoint: dieAtFailpoint,
}).catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
