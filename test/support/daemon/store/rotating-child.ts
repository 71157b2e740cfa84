import { createFailpoints } from '../../../../daemon/app/ground/failpoints.ts'
import { createKeyUseCases } from '../../../../daemon/app/manage/rotate-key.ts'
import { createStore } from '../../../../daemon/store/store.ts'
import { createVault } from '../../../../daemon/vault/vault.ts'
import { dieAtFailpoint } from './die-at-failpoint.ts'

/** Rotates the key of a database: `child <database> <key file>`. */
const [file = '', keyFile = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  const database = await createStore({ file, now: Date.now })
  const vault = await createVault({ keyFile }, { sealed: database.sealed })
  const keys = createKeyUseCases({
    database,
    vault,
    clock: { now: Date.now },
    failpoints: createFailpoints(dieAtFailpoint),
  })
  const actor = { principal: { kind: 'master' }, operator: 'master', requestId: 'r' } as const
  await keys.rotate(actor)
  await database.close()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exit(1)
})
