type Position = { x: number; y: number }

/**
 * Returns the data point that a key selects, or `null` for other keys. The first key press selects the newest point. In a
 * heat map, left and right select the nearest cell in the next column with data; up and down select the next cell in the
 * column.
 */
export function nextPoint<Point extends Position>(
  points: readonly Point[],
  from: Point | null,
  key: string,
): Point | null {
  if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return null
  if (from === null) return points.reduce<Point | null>(newer, null)
  const columns = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const rows = points.flatMap(({ x, y }) => (x === from.x ? [y] : [])).sort((a, b) => a - b)
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  // With only one row, up and down scroll the page.
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

function newer<Point extends Position>(best: Point | null, point: Point): Point {
  return best === null || point.x > best.x || (point.x === best.x && point.y > best.y) ? point : best
}
