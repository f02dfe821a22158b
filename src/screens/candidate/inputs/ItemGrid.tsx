import type { ReactNode } from 'react'
import type { SignItem } from '../../../modules/exams/rules/sign-item.ts'
import { ItemField } from './ItemField.tsx'
import type { FieldContext } from './props.ts'

interface Props {
  items: readonly SignItem[]
  /** Codes of the items shown here: those of one group. */
  codes: readonly string[]
  content: Readonly<Record<string, unknown>>
  onChange: (code: string, value: unknown) => void
  context: FieldContext
}

/** The items of a group of the form, beside and below one another. */
export function ItemGrid({ items, codes, content, onChange, context }: Props): ReactNode {
  return (
    <div className="in-grid">
      {items
        .filter(item => codes.includes(item.itemCode))
        .map(item => (
          <ItemField
            key={item.itemCode}
            item={item}
            field={item.itemCode}
            value={content[item.itemCode]}
            onChange={value => onChange(item.itemCode, value)}
            context={context}
          />
        ))}
    </div>
  )
}
