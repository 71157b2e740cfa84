import { join } from 'node:path'
import { type LanguageService, Project, ts } from 'ts-morph'

/** A project's scripts as one program of TypeScript. Texts are in memory; packages come from the disk. */
export interface Program {
  readonly root: string
  readonly service: ts.LanguageService
  script(path: string): ts.SourceFile | undefined
  /** Returns the path in the project, or undefined for a file that is not one of the project's scripts. */
  pathOf(fileName: string): string | undefined
}

/** Creates the program of a project. `texts` are its scripts by path. */
export function createProgram(root: string, texts: ReadonlyMap<string, string>): Program {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      skipLibCheck: true,
      allowJs: true,
      noEmit: true,
      types: ['node'],
    },
  })
  const paths = new Map<string, string>()
  for (const [path, text] of texts) {
    const script = project.createSourceFile(join(root, path), text, { overwrite: true })
    paths.set(script.getFilePath(), path)
  }
  const languageService: LanguageService = project.getLanguageService()
  const service = languageService.compilerObject
  return {
    root,
    service,
    script: (path) => service.getProgram()?.getSourceFile(join(root, path)),
    pathOf: (fileName) => paths.get(fileName),
  }
}
