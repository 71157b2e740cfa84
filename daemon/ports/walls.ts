import type { ChildProcess, StdioOptions } from 'node:child_process'

/** One kind of separation between the projects of this host. */
export interface Wall {
  readonly name: string
  readonly stands: boolean
  /** One sentence: the separation, or the reason for its absence. */
  readonly detail: string
  /** Advice to the operator if the wall does not stand. */
  readonly next?: string
}

/** Limits of all processes of one group together. */
export interface GroupLimits {
  readonly memoryMb: number
  /** Number of CPU cores, with fractions; null: unlimited. */
  readonly cpus: number | null
  /** Share of a busy processor: 100 is the share of an app. */
  readonly cpuWeight?: number
  readonly pids: number
}

/** Use of all processes of a group together. A field is null if the kernel does not count it for this group. */
export interface GroupUsage {
  /** Without caches that the kernel can drop. */
  readonly memoryBytes: number | null
  /** Processor time since the group began. */
  readonly cpuMs: number | null
}

export interface GroupEnd {
  /** The memory limit in MiB if the kernel ended a process of the group for it; otherwise null. */
  readonly outOfMemoryMb: number | null
}

/** Separates projects from each other and from the daemon, and ends all processes of a group. */
export interface Walls {
  status(): readonly Wall[]
  /** Returns true for the user of a project of any daemon on this host. */
  isProjectUser(uid: number): boolean
  /** Returns the cell of a project; the first call gives the project a system user. */
  cell(projectId: number): Promise<Cell>
  /** Ends all processes of a deleted project, and removes its home and temporary folders. */
  remove(projectId: number): Promise<void>
  /** Lists the groups of this data folder, also those of a previous daemon. */
  groups(): readonly string[]
  /** Returns the live processes of a group. Returns undefined if this host has no process groups of this kind. */
  members(group: string): readonly number[] | undefined
  /** Returns undefined if this host has no process groups of this kind, or no group of this name. */
  usage(group: string): GroupUsage | undefined
  /** Kills every process of a group, also detached ones, and removes the group. Throws `internal` if one survives. */
  end(group: string): Promise<GroupEnd>
  /** Releases the namespaces. Processes in them continue to run. */
  close(): void
}

/** The place where the programs of one project run. */
export interface Cell {
  /** The project's system user; null without walls between users. */
  readonly user: { readonly uid: number; readonly gid: number } | null
  /** Private home folder; null without walls between users. */
  readonly home: string | null
  /** Gives a folder with all its files to the project's user, for nobody else. No-op if the user has the folder. */
  own(folder: string): Promise<void>
  /**
   * Starts a program as the project's user, inside its namespaces and inside the group before the first instruction.
   * Resolves when the process exists; rejects like `spawn` if the program is missing or not executable.
   */
  spawn(program: string, args: readonly string[], options: CellSpawn): Promise<ChildProcess>
  /** See `Walls.end`. */
  end(group: string): Promise<GroupEnd>
}

export interface CellSpawn {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdio: StdioOptions
  /** Name of the control group: letters, digits, `-`, `_`. */
  readonly group: string
  readonly limits: GroupLimits
  /** True: a death of the daemon ends the program, if users are separated. Its children may survive until the next start. */
  readonly endsWithDaemon?: true
}
