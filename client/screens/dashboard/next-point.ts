type Spot = { x: number; y: number }

/**
 * Where an arrow key leads from a point, or from outside: then to the newest. In a heat map, left and right lead to the
 * nearest cell of the next column that holds any, up and down to the next cell of the column. `null` where a key leads
 * nowhere.
 */
export function nextPoint<DataPoint extends Spot>(
  points: readonly DataPoint[],
  from: DataPoint | null,
  key: string,
): DataPoint | null {
  if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return null
  if (from === null) return points.reduce<DataPoint | null>(newer, null)
  const columns = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const rows = points.flatMap(({ x, y }) => (x === from.x ? [y] : [])).sort((a, b) => a - b)
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  // Where there is but one row, these scroll the page.
  if (isVertical && points.every(({ y }) => y === from.y)) return null
  const { x = from.x, y = from.y }: { x?: number | undefined; y?: number | undefined } =
    {
      ArrowLeft: { x: columns.findLast(x => x < from.x) },
      ArrowRight: { x: columns.find(x => x > from.x) },
      Home: { x: columns.at(0) },
      End: { x: columns.at(-1) },
      ArrowUp: { y: rows.findLast(y => y < from.y) },
      ArrowDown: { y: rows.find(y => y > from.y) },
    }[key] ?? {}
  const column = points.filter(point => point.x === x)
  return column.reduce((best, point) => (Math.abs(point.y - y) < Math.abs(best.y - y) ? point : best))
}

function newer<DataPoint extends Spot>(best: DataPoint | null, point: DataPoint): DataPoint {
  return best === null || point.x > best.x || (point.x === best.x && point.y > best.y) ? point : best
}
