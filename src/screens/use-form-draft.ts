import type { FormInstance } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Values } from './form-values.ts'
import type { DraftPlace } from './kept-draft.ts'
import { useDraft } from './use-draft.tsx'
import { type FormKey, useKey } from './use-key.ts'

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a form of antd holds, each input of a group by a name of its own: `form.remark`. */
export const flatValues = (values: object): Values =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      isGroup(value)
        ? Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one] as const)
        : [[name, value] as const],
    ),
  )

/** Where the input of such a name stands in the form. */
function placeOf(name: string): string[] {
  const at = name.indexOf('.')
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}

/** Puts such values into the form. */
export const setFlat = (antd: FormInstance, values: Values): void =>
  antd.setFields(Object.entries(values).map(([name, value]) => ({ name: placeOf(name), value })))

/** Which form of antd, and what it begins with. */
interface FormOf extends Pick<DraftPlace, 'form' | 'rowId'> {
  readonly antd: FormInstance
  readonly fields?: DraftPlace['fields']
  /** As it is given to the form as `initialValues`. */
  readonly begins?: object
  /** The key that the form is sent with, where it makes something. */
  readonly key?: FormKey
}

/** What a form of antd takes to have what is typed into it kept. */
interface KeptAntdForm {
  readonly bar: ReactNode
  readonly onValuesChange: () => void
  readonly saved: () => void
}

/** Keeps what is typed into a form of antd, as {@link useDraft} does. */
export function useFormDraft({ antd, fields = {}, begins = {}, key, ...place }: FormOf): KeptAntdForm {
  const [start] = useState(() => flatValues(begins))
  const own = useKey()
  const { bar, changed, saved } = useDraft({
    ...place,
    fields,
    start,
    key: key ?? own,
    onRestore: values => {
      setFlat(antd, values)
      onValuesChange()
    },
  })
  const onValuesChange = (): void => changed(flatValues(antd.getFieldsValue(true) as object))
  return { bar, onValuesChange, saved }
}
