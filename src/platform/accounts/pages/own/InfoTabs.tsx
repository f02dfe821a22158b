import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../i18n/i18n.ts'
import './info.css'

interface Tab {
  key: string
  /** In Chinese. */
  title: string
  shown: ReactNode
}

/** Parts of a page behind tabs; the one that is open stands in the address as `tab`, so that others can lead to it. */
export function InfoTabs({ label, of }: { label: string; of: readonly Tab[] }): ReactNode {
  const t = useT()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useSearchParams()
  const at = Math.max(
    0,
    of.findIndex(one => one.key === query.get('tab')),
  )
  const open = (to: number): void => {
    const key = of[(to + of.length) % of.length]?.key ?? ''
    setQuery({ tab: key }, { replace: true })
    list.current?.querySelector<HTMLElement>(`#tab-${key}`)?.focus()
  }
  const turn = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step) open(at + step)
  }
  return (
    <>
      <div className="info-tabs" role="tablist" aria-label={t(label)} ref={list} onKeyDown={turn}>
        {of.map((one, i) => (
          <button
            key={one.key}
            type="button"
            role="tab"
            id={`tab-${one.key}`}
            aria-selected={i === at}
            aria-controls={`part-${one.key}`}
            tabIndex={i === at ? 0 : -1}
            onClick={() => open(i)}
          >
            {t(one.title)}
          </button>
        ))}
      </div>
      {of.map((one, i) => (
        // What was typed stays while another part is looked at.
        <div
          key={one.key}
          role="tabpanel"
          id={`part-${one.key}`}
          aria-labelledby={`tab-${one.key}`}
          hidden={i !== at}
          className="info-part"
        >
          {one.shown}
        </div>
      ))}
    </>
  )
}
