import { report, watch } from 'sixpane/browser'

watch({ url: import.meta.env.VITE_SIXPANE_URL, service: 'shop', release: process.env.SIXPANE_RELEASE })

export const handleError = ({ kind, error }) => {
  if (kind === 'unknown') report(error)
}
