import type { Model, StoreKind } from '../model/model.ts'

/**
 * One kind of store, as data: what templates, `init` and the README need to know of it. The templates know no
 * store; what differs beyond data lies in the folders that `templates` names.
 */
export interface Store {
  readonly kind: StoreKind
  /** In a sentence: "It keeps its data in …". */
  readonly title: string
  /** Suffix of the repository's adapter: `post.repository.<adapter>.ts`. */
  readonly adapter: 'prisma' | 'document'
  /** Folders under `templates/`. No two of them have the same file. */
  readonly templates: {
    readonly project: readonly string[]
    /** What a project with `--auth` has besides. */
    readonly auth: readonly string[]
    readonly feature: readonly string[]
  }
  /** npm package → version range. */
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Packages whose install scripts are not run: they would download or compile what is not needed. */
  readonly blockedScripts: readonly string[]
  /** The command that makes code from the schema, or ''. */
  readonly generate: string
  /** Beside the sources: what the code is generated from, what the build needs, what the running app needs. */
  readonly schemaFiles: readonly string[]
  readonly buildFiles: readonly string[]
  readonly runtimeFiles: readonly string[]
  readonly databaseUrl: {
    /** A JavaScript regular expression, and what is said of a value that does not match. */
    readonly pattern: string
    readonly message: string
    /** Empty: the setting is required. */
    readonly default: string
    readonly example: string
    /** For the README's table. */
    readonly documented: string
    readonly hint: string
  }
  readonly compose: {
    readonly databaseUrl: string
    /** Whether the store lies in `data/` of the app. */
    readonly keepsFiles: boolean
    /** YAML that ends the app's service and adds the store's own, or ''. */
    readonly services: string
    /** Names of the store's own volumes. */
    readonly volumes: readonly string[]
  }
  /** The store's lines of `.env.example`. */
  readonly envExample: string
  /** The lines of the untracked `.env`, or none. `password` is random and fits a URL. */
  readonly env?: (password: string) => string
  /** What npm may say when it installs, and what to make of it. */
  readonly installNote: string
  /** What starts the store's server, or '' where it has none. */
  readonly serverCommand: string
  /** Paragraphs of the README: what must run and what the tests do without it; how the store's set-up changes. */
  readonly readme: string
  readonly growing: string
  /** Files computed from the whole model that are no template. */
  readonly files: (model: Model) => Readonly<Record<string, string>>
  /** Folders of its migrations and of its generated code, which another kind has no use for. */
  readonly folders: readonly string[]
  /** Names of layers that the emitted infra may import, quoted, separated by commas. */
  readonly infraImports: string
  /** The file that brings a store from one model to another; none when nothing changes. */
  readonly migration: (
    from: Model,
    to: Model,
    listFolders: (path: string) => readonly string[],
  ) => StoreMigration | undefined
  /** Sentences, of a kind without such files: what of the stored data is lost, or keeps the app from starting. */
  readonly losses?: (from: Model, to: Model) => readonly string[]
}

export interface StoreMigration {
  readonly path: string
  readonly text: string
  /** Sentences: what of the stored data is lost. */
  readonly destructive: readonly string[]
}
