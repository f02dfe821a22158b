import type { Resource } from '#engine'
import type { Opened } from '../list-props.ts'
import type { CheckLine } from './answer.ts'
import type { OpenPage } from './open-pages.ts'
import { type Place, placeAddress } from './place.ts'

/** Name in the address under which a page knows what it is opened to mend; empty on a home that shows its checks. */
export const CHECKS = 'checks'

/** Name in the address under which a page with an overview shows its list. */
export const LIST = 'list'

/** Name in the address under which a list is told the row that it opens. */
export const ROW = 'row'

/** Address of the home with what is missing. */
export const checksAddress = (place: Place): string => `${placeAddress(place)}?${CHECKS}`

const mendOf = ({ workspace: { checks } }: Place, { key }: CheckLine) => checks?.mend[key]

/** Address where a missing thing is mended; undefined where the person may not open that page. */
export function mendAddress(place: Place, pages: readonly OpenPage[], line: CheckLine): string | undefined {
  const page = mendOf(place, line)?.page
  if (page === undefined || !pages.some(one => one.page.name === page)) return undefined
  return `${placeAddress(place, page)}?${new URLSearchParams({ [CHECKS]: line.key })}`
}

/** What a list opens for a row that its address names: its form, or its detail for whoever may not change it. */
export const openingOfRow = (id: string, { entity }: Resource, may: (what: string) => boolean): Opened => ({
  what: may('edit') ? 'form' : 'detail',
  row: { [entity.key]: id },
})

/** What a list opens to mend a thing: the row that lacks something, or a new one; undefined where it shows its rows. */
export function openingFor(
  place: Place,
  line: CheckLine,
  { entity }: Resource,
  may: (what: string) => boolean,
): Opened | undefined {
  if (line.row !== undefined) return may('edit') ? { what: 'form', row: { [entity.key]: line.row } } : undefined
  const values = mendOf(place, line)?.new
  return values && may('add') ? { what: 'form', row: null, defaults: values } : undefined
}

/**
 * The missing thing that comes after another, round and round; undefined when no other can be mended.
 * @param missing in the order in which they are shown
 * @param all everything that is needed, in the same order
 * @param key the thing before it, missing or not
 */
export function lineAfter(
  missing: readonly CheckLine[],
  all: readonly CheckLine[],
  key: string,
): CheckLine | undefined {
  const at = all.findIndex(one => one.key === key)
  const behind = all.slice(at + 1).find(one => missing.includes(one))
  return behind ?? missing[0]
}
