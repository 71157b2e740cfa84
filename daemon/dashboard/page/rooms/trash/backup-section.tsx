import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-state.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { reportChange } from '../../state/live.ts'
import { refusalOf } from '../../state/rights.ts'
import { showToast } from '../../state/toasts.ts'
import { bytesText } from '../../text/format.ts'
import { downloadBackup } from './download.ts'
import { canStream, openSink } from './sink.ts'
import { UploadDialog } from './upload-dialog.tsx'

const master = { kind: 'master' } as const

/** Downloads a backup, or uploads one that the daemon applies at its next start. */
export function BackupSection(): JSX.Element {
  const refusal = refusalOf(master)
  return (
    <Section
      title="Backups"
      note="A backup has the daemon's database, its key and, if you want, the data of all apps. Keep it as safe as the key itself."
      kind="card"
    >
      {refusal === undefined ? (
        <div class="backups">
          <Download />
          <Upload />
        </div>
      ) : (
        <p class="note">{refusal}</p>
      )}
    </Section>
  )
}

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly bytes: number; readonly over: AbortController }
  | { readonly kind: 'failed'; readonly error: unknown }

function Download(): JSX.Element {
  const [withData, setWithData] = useState(true)
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' })

  async function download(): Promise<void> {
    const over = new AbortController()
    try {
      const sink = await openSink()
      if (!sink) return
      setProgress({ kind: 'running', bytes: 0, over })
      const { fileName, bytes } = await downloadBackup(withData, {
        signal: over.signal,
        sink,
        onBytes: (count) => setProgress({ kind: 'running', bytes: count, over }),
      })
      setProgress({ kind: 'idle' })
      reportChange('audit')
      showToast(`${fileName} has ${bytesText(bytes)}.`, { tone: 'good' })
    } catch (error) {
      setProgress(over.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error })
    }
  }

  const isRunning = progress.kind === 'running'
  return (
    <div class="backup-action">
      <h3>Download</h3>
      <Checkbox
        label="With the data of all apps"
        hint={`Databases are copied consistently while the apps run. ${
          canStream()
            ? 'The backup is written to the disk while it arrives.'
            : 'This browser holds the whole backup in memory: for many gigabytes, use strata backup.'
        }`}
        isTicked={withData}
        onChange={setWithData}
      />
      <div class="row">
        <Button icon="download" isBusy={isRunning} onClick={() => void download()}>
          Download backup
        </Button>
        {isRunning && (
          <Button tone="quiet" onClick={() => progress.over.abort()}>
            Cancel
          </Button>
        )}
        <span class="note" role="status">
          {isRunning && `${bytesText(progress.bytes)} so far`}
        </span>
      </div>
      {progress.kind === 'failed' && <ErrorNote error={progress.error} />}
    </div>
  )
}

function Upload(): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | undefined>(undefined)
  return (
    <div class="backup-action">
      <h3>Restore</h3>
      <p class="note">
        The daemon checks the whole backup now, and applies it at its next start. Until then nothing
        changes.
      </p>
      <div class="row">
        <Button icon="rollback" onClick={() => input.current?.click()}>
          Choose a backup…
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".tar,application/x-tar"
        class="visually-hidden"
        tabIndex={-1}
        aria-label="Backup to restore"
        onChange={(event) => {
          setFile(event.currentTarget.files?.[0])
          // The same file can be chosen again.
          event.currentTarget.value = ''
        }}
      />
      {file && <UploadDialog file={file} onClose={() => setFile(undefined)} />}
    </div>
  )
}
