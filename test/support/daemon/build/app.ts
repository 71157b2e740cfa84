import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OutputSink } from '../../../../daemon/ports.ts'

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'strata-build-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export type Files = Readonly<Record<string, string | object>>

/** Writes a checkout: strings as text, objects as JSON, `{ link }` as a symlink. */
export function createApp(folder: string, files: Files): string {
  mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    if (typeof content === 'string') writeFileSync(full, content)
    else if ('link' in content) symlinkSync(String(content.link), full)
    else writeFileSync(full, JSON.stringify(content))
  }
  return folder
}

/** Collects the output of a build. */
export function recorder(): { readonly sink: OutputSink; text(): string } {
  const chunks: Uint8Array[] = []
  return { sink: (chunk) => chunks.push(chunk), text: () => Buffer.concat(chunks).toString('utf8') }
}
