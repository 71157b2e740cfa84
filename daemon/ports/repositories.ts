import type { IncomingMessage, ServerResponse } from 'node:http'

/** A ref of a push. An object id of zeros stands for an absent ref. */
export interface PushedRef {
  readonly ref: string
  readonly oldId: string
  readonly newId: string
}

/** The branches of a hosted repository. */
export interface HostedBranches {
  /** The branch that HEAD names. It may not exist yet. */
  readonly defaultBranch: string
  readonly heads: ReadonlyMap<string, string>
  /** Commits whose deploy has not ended, by branch. */
  readonly pending: ReadonlyMap<string, string>
  /** The commit of a pending branch before its push. A branch that the push created has none. */
  readonly before: ReadonlyMap<string, string>
}

/** A change of one branch. `null` removes a ref; undefined keeps it. */
export interface BranchChange {
  readonly branch: string
  /** The change fails unless the branch is at `expected`; `null`: unless it is absent. */
  readonly expected: string | null
  readonly head?: string | null
  readonly pending?: string | null
  readonly before?: string | null
}

/** The repositories that the daemon hosts, one for each project, by project id. */
export interface Repositories {
  /** Returns the absolute path of a project's repository. */
  path(projectId: number): string
  /** Creates a missing repository, and repairs its settings. Idempotent. */
  ensure(projectId: number): Promise<void>
  read(projectId: number): Promise<HostedBranches>
  /** Applies all changes or none, durably. Throws `conflict` if a branch is not where a change expects it. */
  update(projectId: number, changes: readonly BranchChange[]): Promise<void>
  setDefaultBranch(projectId: number, branch: string): Promise<void>
  /** Removes a repository without branches. Throws `conflict` if it has branches. */
  discardEmpty(projectId: number): Promise<void>
  /** Packs the objects after many pushes. Objects that no branch needs are removed after a month. */
  maintain(projectId: number): Promise<void>
  /**
   * Copies all repositories into `folder`, as `<project id>/repository`, each as of one instant. Returns the
   * repositories that can't be copied, with the reasons.
   */
  snapshot(folder: string): Promise<readonly { path: string; reason: string }[]>
}

/** The refs of a push, as git sent them. */
export interface GitPush {
  readonly refs: readonly PushedRef[]
  /** True: all refs change, or none. */
  readonly isAtomic: boolean
}

/** The answer for one ref of a push. `refusal` is the reason to refuse it. */
export interface RefAnswer {
  readonly ref: string
  readonly refusal?: string
}

/** One request of git's smart HTTP protocol. */
export interface GitExchange {
  readonly projectId: number
  readonly service: 'git-upload-pack' | 'git-receive-pack'
  /** `refs` lists the refs; `pack` transfers objects. */
  readonly step: 'refs' | 'pack'
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /**
   * Answers the refs of a push, whose objects are stored. `say` sends a line to the pusher; a slow pusher loses lines.
   * Continues if the pusher disconnects, which aborts `gone`.
   */
  readonly receive?: (
    push: GitPush,
    pusher: { say(line: string): void; readonly gone: AbortSignal },
  ) => Promise<readonly RefAnswer[]>
}

/** Serves hosted repositories to git clients. */
export interface GitService {
  /** Sends the response. Resolves when it is sent, or the client has disconnected. */
  serve(exchange: GitExchange): Promise<void>
}
