/** `npm run snapshots`: stores what each case emits now. Read the diff before you commit it. */
import { emittedTrees } from './cases.ts'
import { store } from './layout.ts'
import { readExample, writeStored } from './storage.ts'

const trees = await emittedTrees()
const stored = store(trees, readExample)
writeStored(stored)
const emitted = [...trees.values()].reduce((total, tree) => total + tree.size, 0)
process.stdout.write(`${emitted} emitted files, ${stored.size} stored files\n`)
