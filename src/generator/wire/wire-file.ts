import { Project, type SourceFile } from 'ts-morph'
import { PlaceNotFound } from './place-not-found.ts'
import { type Style, styleOf } from './style.ts'

/** A parsed file. The offsets of nodes and edits refer to `text`. */
export interface WireFile {
  readonly text: string
  readonly source: SourceFile
  readonly style: Style
}

/** Parses TypeScript. The next call invalidates the result. Throws `PlaceNotFound` for a syntax error. */
export function parseFile(text: string): WireFile {
  const source = project.createSourceFile('/wired.ts', text, { overwrite: true })
  const [fault] = project.getProgram().getSyntacticDiagnostics(source)
  if (fault !== undefined) {
    const message = fault.getMessageText()
    const reason = typeof message === 'string' ? message : message.getMessageText()
    throw new PlaceNotFound(`valid TypeScript (line ${fault.getLineNumber()}: ${reason})`)
  }
  return { text, source, style: styleOf(source) }
}

/** Resolves no imports and loads no libraries: wiring only needs names within one file. */
const project = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
  compilerOptions: { noLib: true, noResolve: true, types: [] },
})
