/** `npm run snapshots`: stores what each case emits now. Read the diff before you commit it. */
import { cases, render, storedFiles } from './cases.ts'
import { writeSnapshot } from './folder.ts'

for (const each of cases) {
  const files = storedFiles(await render(each))
  writeSnapshot(each.name, files)
  process.stdout.write(`${each.name}: ${files.size} files\n`)
}
