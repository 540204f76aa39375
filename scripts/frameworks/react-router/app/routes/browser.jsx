import { useState } from 'react'

export default function Cart() {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) throw new Error('failed in browser')
  return (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  )
}
