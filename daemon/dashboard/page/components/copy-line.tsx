import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** A line of text to copy, such as a command or a URL. `label` names it for screen readers. */
export function CopyLine({ text, label }: { text: string; label: string }): JSX.Element {
  const code = useRef<HTMLElement>(null)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    setCopied(await copyText(text, code.current))
  }

  return (
    <div class="copy-line">
      <code ref={code} dir="ltr">
        {text}
      </code>
      <button
        type="button"
        class="icon-button"
        aria-label={`Copy ${label}`}
        title={`Copy ${label}`}
        onClick={() => void copy()}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      <span class="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  )
}

/** Copies a text. Selects `element` if the browser forbids it, as it does on plain HTTP off this machine. */
async function copyText(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (element) getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  }
}
