import type { Reporter } from 'vitest/node'

const filesPerLine = 20

/** Prints a line for every 20 finished test files: how many of all files, and the seconds since the start. */
export default class ProgressReporter implements Reporter {
  #startedMs = Date.now()
  #total = 0
  #finished = 0

  onTestRunStart(files: readonly unknown[]): void {
    this.#startedMs = Date.now()
    this.#total = files.length
  }

  onTestModuleEnd(): void {
    this.#finished += 1
    if (this.#finished % filesPerLine !== 0) return
    const seconds = Math.round((Date.now() - this.#startedMs) / 1000)
    process.stdout.write(`── ${this.#finished} of ${this.#total} test files, ${seconds} s\n`)
  }
}
