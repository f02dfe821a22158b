import { Fragment, type ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { momentText } from './times.ts'

/** Stands around the name of a moment while the sentence is put together; no text has it. */
const MARK = '\u0001'

interface Props {
  /** The Chinese sentence, with `{{name}}` for each moment. */
  text: string
  /** The moments as the server writes them, by name. */
  at: Readonly<Record<string, string>>
  /** What else is filled in. */
  vars?: Readonly<Record<string, unknown>>
}

/** A sentence with moments in it, in the language of the page: none of them is broken over two lines. */
export function Timed({ text, at, vars }: Props): ReactNode {
  const t = useT()
  const marks = Object.fromEntries(Object.keys(at).map(name => [name, `${MARK}${name}${MARK}`]))
  const parts = t(text, { ...vars, ...marks }).split(MARK)
  return parts.map((part, i) => {
    const key = `${i} ${part}`
    if (i % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    return <time key={key}>{momentText(at[part])}</time>
  })
}

/** From when to when, each end on one line; one end alone where the other is not set, nothing where both are not. */
export function Period({ from, to }: { from: string; to: string }): ReactNode {
  return (
    <>
      {from && <time>{momentText(from)}</time>}
      {from && to && ' – '}
      {to && <time>{momentText(to)}</time>}
    </>
  )
}
