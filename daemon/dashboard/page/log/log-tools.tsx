import type { JSX } from 'preact'
import { Icon, type IconName } from '../components/icon.tsx'
import { showToast } from '../state/toasts.ts'
import { counted } from '../text/format.ts'
import type { LogPlace } from './log-place.ts'
import type { LogSession } from './log-session.ts'
import { logSettings } from './log-settings.ts'
import { fileNameOf, textOfFile, textOfLines } from './plain-text.ts'

/** The buttons of a log. */
export function LogTools({
  session,
  place,
  fileName,
}: {
  session: LogSession
  place: LogPlace
  fileName: string
}): JSX.Element {
  const { kind } = session.connection.value
  const isPaused = kind === 'paused'
  const isOver = kind === 'ended' || kind === 'failed'
  return (
    <div class="log-tools" role="toolbar" aria-label="Log">
      {!isOver && (
        <Tool
          icon={isPaused ? 'play' : 'pause'}
          label={isPaused ? 'Resume' : 'Pause'}
          shortcut="P"
          onClick={session.togglePause}
        />
      )}
      <Tool
        icon="wrap"
        label="Wrap lines"
        shortcut="W"
        isOn={logSettings.isWrapped.value}
        onClick={() => logSettings.toggle('isWrapped')}
      />
      <Tool
        icon="clock"
        label="Show times"
        shortcut="T"
        isOn={logSettings.hasTimes.value}
        onClick={() => logSettings.toggle('hasTimes')}
      />
      <Tool
        icon="copy"
        label={place.selection.value ? 'Copy the selected lines' : 'Copy all loaded lines'}
        onClick={() => void copyLines(session, place)}
      />
      <Tool
        icon="download"
        label="Download the loaded lines"
        onClick={() => download(textOfFile(session.ring()), fileNameOf(fileName))}
      />
    </div>
  )
}

function Tool({
  icon,
  label,
  shortcut,
  isOn,
  onClick,
}: {
  icon: IconName
  label: string
  /** The key that does the same while the log has the focus. */
  shortcut?: string
  isOn?: boolean
  onClick: () => void
}): JSX.Element {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-pressed={isOn}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

async function copyLines(session: LogSession, place: LogPlace): Promise<void> {
  const ring = session.ring()
  const { from, to } = place.selection.peek() ?? { from: ring.first(), to: ring.end() }
  const isCopied = await copyText(textOfLines(ring, from, to))
  const count = Math.min(to, ring.end()) - Math.max(from, ring.first())
  if (isCopied) showToast(`Copied ${counted(count, 'line')}`, { tone: 'good' })
  else showToast('The browser refused to copy. Download the lines instead.', { tone: 'bad' })
}

/** Off this machine, a page on plain HTTP has no clipboard; the old command still copies. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const give = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    document.addEventListener('copy', give, { capture: true, once: true })
    const isCopied = document.execCommand('copy')
    document.removeEventListener('copy', give, { capture: true })
    return isCopied
  }
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the object after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
