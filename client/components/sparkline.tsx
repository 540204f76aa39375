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
      viewBox={`0 0 ${Math.max(values.length, 1)} 20`}
      preserveAspectRatio="none"
    >
      <path d={bars(values)} />
    </svg>
  )
}

/** A vertical stroke for each value. */
function bars(values: number[]): string {
  const highest = Math.max(...values, 0)
  if (highest === 0) return ''
  return values
    .map((value, index) => {
      if (value <= 0) return ''
      // Keep the smallest bar visible.
      const top = 20 - Math.max((value / highest) * 18, 2)
      return `M${index}.5 20V${Number(top.toFixed(1))}`
    })
    .join('')
}
