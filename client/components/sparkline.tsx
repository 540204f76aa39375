import type { Tone } from './badge.tsx'

/** An inline bar chart of `values`, oldest first. `label` describes it for screen readers. */
export function Sparkline({
  values,
  label,
  tone = 'neutral',
}: {
  values: number[]
  label: string
  tone?: Tone
}) {
  return (
    <svg
      className="sparkline"
      data-tone={tone}
      role="img"
      aria-label={label}
      // Starts half a bar before 0, so the middle of each bar is at a whole number.
      viewBox={`-.5 0 ${Math.max(values.length, 1)} ${height}`}
      preserveAspectRatio="none"
    >
      <path d={bars(values)} />
    </svg>
  )
}

/** Twice the height in CSS pixels, so whole numbers are precise enough. */
const height = 40
const barHeight = 36
const minBarHeight = 4

/** A vertical stroke for each value. */
function bars(values: number[]): string {
  const highest = Math.max(...values, 0)
  if (highest === 0) return ''
  return values
    .map((value, index) => {
      if (value <= 0) return ''
      // Keep the smallest bar visible.
      const top = height - Math.max((value / highest) * barHeight, minBarHeight)
      return `M${index} ${height}V${Math.round(top)}`
    })
    .join('')
}
