import { useEffect, useState } from 'react'
import { copyText } from '../copy-text.ts'
import { Icon } from './icon.tsx'

/** Copies `value` to the clipboard. Without JavaScript, the button is invisible but takes up the same space. */
export function Copy({ value, label }: { value: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    setCopied(await copyText(value))
  }

  return (
    <button type="button" className="copy needs-script" title={label} aria-label={label} onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  )
}
