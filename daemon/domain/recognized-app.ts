/** Result of recognition: the kind of app, the reasons, and the facts that its steps and its image need. */
export type RecognizedApp = RecognizedNode | RecognizedPython | RecognizedGo | OtherApp

interface Common {
  /** Sentences for the build output: the kind with the file that shows it, then files and settings that have no effect. */
  readonly reasons: readonly string[]
  /** Programs that the process runtime needs on the host. */
  readonly programs: readonly string[]
  /** Static files to serve instead of a start command; `null` for other apps. */
  readonly site: Site | null
}

/** A folder of static files, relative to the folder of the app. */
export interface Site {
  readonly folder: string
  /** Answers unknown paths with `index.html`, for apps that route in the browser. */
  readonly isSpa: boolean
}

export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn'
  /** Version for a new installation: exact from `packageManager`, else the major version that reads the lock file. */
  readonly version: string | null
  /** True for Yarn 2 and newer, which have other options. */
  readonly isModern: boolean
}

export interface RecognizedNode extends Common {
  readonly kind: 'node'
  readonly packageManager: PackageManager
  /** Name of the lock file, in the workspace folder if there is one. */
  readonly lockFile: string | null
  /** Folder of the workspace root, relative to the checkout (empty: the checkout itself); `null` if the app is no workspace. */
  readonly workspace: string | null
  readonly hasDevDependencies: boolean
  /** True if an install reads files besides `installFiles`: scripts of the project, or packages of the repository. */
  readonly needsSources: boolean
  /** Files that decide what an install does. */
  readonly installFiles: readonly string[]
  /** Major version of Node for an image. */
  readonly version: string
}

export interface RecognizedPython extends Common {
  readonly kind: 'python'
  /** Packages to install: from `requirements.txt`, or the list in `pyproject.toml`; `null` without packages. */
  readonly requirements:
    | { readonly from: 'requirements.txt' }
    | { readonly from: 'pyproject.toml'; readonly list: readonly string[] }
    | null
  /** True if `requirements.txt` refers to other files of the repository. */
  readonly needsSources: boolean
  /** True if modules are in the folder `src`. */
  readonly hasSourceFolder: boolean
  /** Version for an image, such as 3.12. */
  readonly version: string
  /** Version that the repository asks for; `null` if it names none. */
  readonly requiredVersion: string | null
}

export interface RecognizedGo extends Common {
  readonly kind: 'go'
  /** Version for an image, such as 1.24. */
  readonly version: string
  readonly hasSums: boolean
  /** True if modules are in the repository: a folder `vendor`, a workspace, or a replacement by a folder. */
  readonly needsSources: boolean
}

interface OtherApp extends Common {
  /**
   * `dockerfile`: the repository's own image. `static`: files without a build. `command`: only a start command, with the
   * host's programs.
   */
  readonly kind: 'dockerfile' | 'static' | 'command'
  /** Path of the Dockerfile, relative to the folder of the app; `null` for other kinds. */
  readonly dockerfile: string | null
}
