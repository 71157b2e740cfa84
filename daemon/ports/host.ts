/** Measures the running apps of a runtime. */
export interface UsageProbe {
  /** Returns the present use by environment id, without apps that ended meanwhile. */
  read(): Promise<ReadonlyMap<number, AppUsage>>
}

export interface AppUsage {
  readonly memoryBytes: number
  /** Processor time of the app's processes since its start. It may shrink when a process ends. */
  readonly cpuMs: number
}

/** Folders that apps write to. Methods never follow symbolic links below `path`, also if an app changes the tree. */
export interface AppTrees {
  /** Removes a file or a folder with its content. No-op if it is absent. */
  remove(path: string): Promise<void>
  /** Returns the bytes on disk; undefined if they can't be read within seconds. */
  sizeOf(path: string): Promise<number | undefined>
}

/** Probes the daemon's own host. Methods never throw and answer within seconds. */
export interface HostProbe {
  /** Returns the output of `git --version`; undefined if git can't be run. */
  gitVersion(): Promise<string | undefined>
  /** Returns true if a port of 127.0.0.1 answers with any HTTP response. */
  isServing(port: number): Promise<boolean>
  /** Returns true if the daemon may list, write and enter a folder. */
  isWritable(folder: string): Promise<boolean>
  /** Returns the space of the file system that contains a folder; undefined if unknown. */
  diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number } | undefined>
}

/** State of the engine that runs the apps. */
export interface EngineCheck {
  readonly ok: boolean
  readonly detail: string
  /** Advice to the operator. */
  readonly next?: string
}
