import { ExportOutlined } from '@ant-design/icons'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import type { CheckLine, PlaceAnswer } from './answer.ts'
import type { OpenPage } from './open-pages.ts'
import { apartAddress, type Place, placeAddress } from './place.ts'

interface Props {
  place: Place
  pages: readonly OpenPage[]
  answer: PlaceAnswer
  /** What the row lacks. */
  missing: readonly CheckLine[]
}

/** How much is to be done on pages: what they lack, and what waits for work in their lists, each row counted once. */
function workOf(
  { workspace: { checks, today } }: Place,
  names: readonly string[],
  { answer, missing }: Pick<Props, 'answer' | 'missing'>,
): number {
  const isHere = (page: string | undefined): boolean => page !== undefined && names.includes(page)
  const lacking = missing.filter(line => isHere(checks?.mend[line.key]?.page)).length
  const told = new Map(answer.today.map(({ title, count }) => [title, count]))
  const lines = today.filter(line => isHere(line.page) && !line.quiet && told.has(line.title))
  const titles = lines.map(line => line.title)
  return lines
    .filter(({ among }) => among === null || !titles.includes(among))
    .reduce((sum, { title }) => sum + (told.get(title) ?? 0), lacking)
}

/** The pages of a workspace: tabs, and those of the open tab below them; each says how much is to be done there. */
export function PlaceTabs({ place, pages, answer, missing }: Props): ReactNode {
  const t = useT()
  const self = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: they decide which tabs there are and which is open.
  useEffect(() => {
    // On a narrow window the open tab may lie beyond the edge.
    for (const open of self.current?.querySelectorAll('[aria-current]') ?? [])
      open.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [place.page, pages.length])
  const tabs = [...new Set(pages.map(({ page }) => page.tab))]
  const here = pages.find(({ page }) => page.name === place.page)?.page.tab
  const inside = pages.filter(({ page }) => page.tab === here)
  const workHere = (some: readonly OpenPage[]) =>
    workOf(
      place,
      some.map(({ page }) => page.name),
      { answer, missing },
    )
  const entry = (key: string, page: string, title: string, isHere: boolean, work: number) => {
    const apart = pages.find(one => one.page.name === page)?.page
    const beside = apart && 'apart' in apart && apart.apart !== null && apartAddress(place, apart)
    return (
      <li key={key}>
        <Link
          to={beside || placeAddress(place, page)}
          aria-current={isHere ? 'page' : undefined}
          {...(beside && { target: '_blank', rel: 'noreferrer' })}
        >
          {t(title)}
          {beside && <ExportOutlined aria-label={t('在新窗口打开')} />}
          {work > 0 && <span className="place-work">{work}</span>}
        </Link>
      </li>
    )
  }
  return (
    <nav ref={self} className="place-tabs" aria-label={answer.label}>
      <ul>
        {entry('home', '', '概览', here === undefined, 0)}
        {tabs.map(tab => {
          const some = pages.filter(({ page }) => page.tab === tab)
          return entry(tab, some[0]?.page.name ?? '', tab, tab === here, workHere(some))
        })}
      </ul>
      {inside.length > 1 && (
        <ul className="place-pages">
          {inside.map(one =>
            entry(one.page.name, one.page.name, one.title, one.page.name === place.page, workHere([one])),
          )}
        </ul>
      )}
    </nav>
  )
}
