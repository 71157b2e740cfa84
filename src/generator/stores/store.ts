import type { Model } from '../model/model.ts'
import type { StoreKind } from '../model/store-kinds.ts'

/**
 * A kind of store, as data for the templates, for `init` and for the README. Shared templates name no store: the code
 * of a kind is in the layers that `templates` lists.
 */
export interface Store {
  readonly kind: StoreKind
  /** The name in a sentence: "It keeps its data in …". */
  readonly title: string
  /** `deploy.store.kind` in `strata.json`, if the daemon can make a database of this kind for each branch. */
  readonly deployStore?: 'postgres' | 'mysql' | 'mongodb'
  /** The suffix of repositories: `post.repository.<adapter>.ts`. */
  readonly adapter: 'prisma' | 'kysely' | 'document'
  /** The layers of the kind: folders under `templates/`. Two layers never have the same file. */
  readonly templates: {
    readonly project: readonly string[]
    /** Additional layers of a project with `--auth`. */
    readonly auth: readonly string[]
    readonly feature: readonly string[]
  }
  /** The version range of each npm package. */
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Packages whose install scripts are skipped: they would download or compile unused files. */
  readonly blockedScripts: readonly string[]
  /** The command that generates code from the schema, or ''. */
  readonly generate: string
  /**
   * Files beside the sources: the input of `generate`, the files for npm, the files for the build, the files for the
   * running app.
   */
  readonly schemaFiles: readonly string[]
  readonly installFiles: readonly string[]
  readonly buildFiles: readonly string[]
  readonly runtimeFiles: readonly string[]
  readonly databaseUrl: {
    /** Pattern of valid values (a JavaScript regular expression), and the message for other values. */
    readonly pattern: string
    readonly message: string
    /** The default value. Empty if the setting is required. */
    readonly default: string
    readonly example: string
    /** The default as shown in the README's table of settings. */
    readonly documented: string
    readonly hint: string
  }
  readonly compose: {
    readonly databaseUrl: string
    /** True if the store is a file in the app's folder `data/`. */
    readonly keepsFiles: boolean
    /** YAML that completes the app's service and adds the store's service, or ''. */
    readonly services: string
    /** The names of the store's volumes. */
    readonly volumes: readonly string[]
  }
  /** The service of the store tests in CI, if the store has a server. */
  readonly ci?: {
    /** The variable `TEST_DATABASE_URL`. */
    readonly testDatabaseUrl: string
    /** YAML of the job's service container. */
    readonly services: string
  }
  /**
   * The store's lines in `.env.example`. `npm run setup` gives an empty setting a random value, and replaces `$NAME` by the
   * setting of that name.
   */
  readonly envExample: string
  /** Returns the lines of the untracked `.env`. `password` is random and needs no escaping in a URL. */
  readonly env?: (password: string) => string
  /** True if the store sorts NULL after all values, unless a query says otherwise. */
  readonly sortsNullLast: boolean
  /** True if transactions that write run one after another. Otherwise a transaction locks the record that it checks. */
  readonly writesAreSerial: boolean
  /** An explanation of npm's warnings, or ''. */
  readonly installNote: string
  /** The command that starts the store's server, or '' if the store has none. */
  readonly serverCommand: string
  /** Paragraphs of the README: the server and the tests, and how the schema changes. */
  readonly readme: string
  readonly growing: string
  /** Returns the files that are computed from the whole model and have no template, by path. */
  readonly files: (model: Model) => Readonly<Record<string, string>>
  /** The folders of migrations and generated code. They are deleted if the project moves to another kind. */
  readonly folders: readonly string[]
  /** Layers that `src/infra` of the project may import: quoted names, separated by commas. */
  readonly infraImports: string
  /** Returns the migration from one model to another, undefined if nothing changes. */
  readonly migration: (
    from: Model,
    to: Model,
    project: ProjectFolders,
  ) => Promise<StoreMigration | undefined>
  /**
   * Returns the migration of a rename, undefined if no name in the store changes. Features and fields of both models match
   * by position. Absent if the kind can't rename.
   */
  readonly renameMigration?: (
    from: Model,
    to: Model,
    project: ProjectFolders,
  ) => Promise<StoreMigration | undefined>
  /**
   * Returns a sentence for each loss of data and each reason for a refused start. Set for a kind without migrations.
   */
  readonly losses?: (from: Model, to: Model) => readonly string[]
}

/** The parts of a project that a migration depends on. */
export interface ProjectFolders {
  /** Lists the folders in a folder of the project; empty if the folder is missing. */
  readonly listFolders: (path: string) => readonly string[]
  /** Returns the text of a file, undefined if it is missing. */
  readonly readFile: (path: string) => string | undefined
}

export interface StoreMigration {
  readonly path: string
  readonly text: string
  /** A sentence for each loss of data. */
  readonly destructive: readonly string[]
}
