import type { RecognizedApp } from '../../domain/recognized-app.ts'
import type { DeploySection } from '../strata-json-deploy.ts'
import type { AppFiles } from './app-files.ts'

/** A start command. With `hasVariables`, its words are written for `expandWords`. */
export interface Start {
  readonly argv: readonly string[]
  readonly hasVariables: boolean
}

/** An app of one kind, with the steps that its conventions give. */
export interface Candidate {
  readonly app: RecognizedApp
  readonly install: readonly string[] | null
  readonly build: readonly string[] | null
  /** Null for an app that serves a site, and for an image with its own command. */
  readonly start: Start | null
}

/** An app of one kind without a start command. */
export interface Unstartable extends Omit<Candidate, 'start'> {
  /** A sentence with the missing part. */
  readonly missing: string
  /** A start command that fits the kind, for the answer. */
  readonly example: string
}

export interface RecognizeOptions {
  readonly section: DeploySection
  readonly runtime: 'process' | 'docker'
  /** Version of Node on the host, which runs apps without an image. */
  readonly hostNode: string
}

/** One kind of app: returns undefined if the files show no sign of it. */
export interface AppKind {
  readonly kind: RecognizedApp['kind']
  /** Files that show the kind, for the answer if nothing is recognized. */
  readonly signs: string
  recognize(files: AppFiles, options: RecognizeOptions): Candidate | Unstartable | undefined
}

/** A start command without variables. */
export function plain(...argv: string[]): Start {
  return { argv, hasVariables: false }
}

/** A start command with `${NAME}` in its words. */
export function withVariables(...argv: string[]): Start {
  return { argv, hasVariables: true }
}
