import { applyStagedRestore } from '../../../../daemon/store/backup/apply.ts'
import { reached } from './dying-at.ts'

/** Applies what is staged: `child <data folder> <database> <key file>`. */
const [dataDir = '', databaseFile = '', keyFile = ''] = process.argv.slice(2)

applyStagedRestore({
  dataDir,
  databaseFile,
  keyFile,
  masterKey: null,
  now: Date.now,
  reached,
}).catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
