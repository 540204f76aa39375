type Spot = { x: number; y: number }

/**
 * Where an arrow key leads from a place, or from outside: then to the newest. In a heat map, left and right lead to the
 * nearest cell of the next column that holds any, up and down to the next cell of the column. `null` where a key leads
 * nowhere.
 */
export function step<Place extends Spot>(
  places: readonly Place[],
  from: Place | null,
  key: string,
): Place | null {
  if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(key)) return null
  if (from === null) return places.reduce<Place | null>(newer, null)
  const columns = [...new Set(places.map(({ x }) => x))].sort((a, b) => a - b)
  const rows = places.flatMap(({ x, y }) => (x === from.x ? [y] : [])).sort((a, b) => a - b)
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  // Where there is but one row, these scroll the page.
  if (isVertical && places.every(({ y }) => y === from.y)) return null
  const { x = from.x, y = from.y }: { x?: number | undefined; y?: number | undefined } =
    {
      ArrowLeft: { x: columns.findLast(x => x < from.x) },
      ArrowRight: { x: columns.find(x => x > from.x) },
      Home: { x: columns.at(0) },
      End: { x: columns.at(-1) },
      ArrowUp: { y: rows.findLast(y => y < from.y) },
      ArrowDown: { y: rows.find(y => y > from.y) },
    }[key] ?? {}
  const column = places.filter(place => place.x === x)
  return column.reduce((best, place) => (Math.abs(place.y - y) < Math.abs(best.y - y) ? place : best))
}

function newer<Place extends Spot>(best: Place | null, place: Place): Place {
  return best === null || place.x > best.x || (place.x === best.x && place.y > best.y) ? place : best
}
