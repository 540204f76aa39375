export default function Cart() {
  function cancel() {
    throw new Error('failed in click')
  }
  return (
    <button type="button" onClick={cancel}>
      Cancel
    </button>
  )
}
