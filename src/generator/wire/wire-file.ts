import { Project, type SourceFile } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'
import { type Style, styleOf } from './style.ts'

/** A parsed file. `text` is what the offsets of its nodes and of edits count in. */
export interface WireFile {
  readonly text: string
  readonly source: SourceFile
  readonly style: Style
}

/** Parses TypeScript; valid until the next call. Throws `PlaceNotFound` for a syntax error. */
export function parseFile(text: string): WireFile {
  const source = project.createSourceFile('/wired.ts', text, { overwrite: true })
  const [fault] = project.getProgram().getSyntacticDiagnostics(source)
  if (fault !== undefined) {
    const message = fault.getMessageText()
    const reason = typeof message === 'string' ? message : message.getMessageText()
    throw new PlaceNotFound(`TypeScript that parses (line ${fault.getLineNumber()}: ${reason})`)
  }
  return { text, source, style: styleOf(source) }
}

/** Only names within one file are asked for: nothing is resolved and no library is loaded. */
const project = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
  compilerOptions: { noLib: true, noResolve: true, types: [] },
})
