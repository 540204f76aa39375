'use client'

function cancel() {
  throw new Error('failed in click')
}

export default function Page() {
  return (
    <button type="button" onClick={cancel}>
      Cancel
    </button>
  )
}
