export default function Page() {
  return <p>ready</p>
}
