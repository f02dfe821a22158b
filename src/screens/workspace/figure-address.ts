import { type FigureOfWorkspace, figureQuery, type TodayOfWorkspace } from '#engine'
import { type Place, placeAddress } from './place.ts'

/** Address of the page that shows the rows of a number, filtered as they are counted. */
export function figureAddress(place: Place, figure: FigureOfWorkspace | TodayOfWorkspace): string {
  const page = place.workspace.pages.find(({ name }) => name === figure.page)
  const asked = page && 'list' in page ? figureQuery(figure) : 'asks' in figure ? figure.asks : {}
  return `${placeAddress(place, figure.page)}?${new URLSearchParams(asked)}`
}
