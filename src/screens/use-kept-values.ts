import { useState } from 'react'
import type { Values } from './form-values.ts'
import type { DraftPlace } from './kept-draft.ts'
import { type KeptForm, useDraft } from './use-draft.tsx'
import { useKey } from './use-key.ts'

/** Where what is typed is kept. */
interface Place extends Pick<DraftPlace, 'form' | 'rowId'> {
  readonly fields?: DraftPlace['fields']
}

/** What a form holds, and what keeps it. */
interface KeptValues<V> {
  readonly values: V
  /** Puts other values in place of all. */
  readonly put: (next: V) => void
  /** Puts some. */
  readonly change: (part: Partial<V>) => void
  readonly draft: KeptForm
}

/** What an input holds that was emptied: nothing of the same type. */
const emptied = (begun: unknown): unknown => (typeof begun === 'string' ? '' : Array.isArray(begun) ? [] : undefined)

/** The state of a form made by hand, kept until it is saved as {@link useDraft} does. */
export function useKeptValues<V extends object>(
  begins: V | (() => V),
  { fields = {}, ...place }: Place,
): KeptValues<V> {
  const [start] = useState(begins)
  const [values, setValues] = useState(start)
  const put = (next: V): void => {
    setValues(next)
    draft.changed(next as Values)
  }
  const change = (part: Partial<V>): void => put({ ...values, ...part })
  const draft = useDraft({
    ...place,
    fields,
    start: start as Values,
    key: useKey(),
    onRestore: restored => {
      const given = Object.entries(restored).map(([name, value]) => [name, value ?? emptied((start as Values)[name])])
      change(Object.fromEntries(given) as Partial<V>)
    },
  })
  return { values, put, change, draft }
}
