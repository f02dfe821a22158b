import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, type ReactNode, useRef } from 'react'
import type { Content } from '../../../modules/exams/rules/sign-item.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { FieldContext, FieldProps, InputProps } from './props.ts'

/** Rows at most where the item does not say. */
const MOST = 50

/** The rows of a table's value; a required table begins with an empty row. */
function rowsOf(value: unknown): Content[] {
  return Array.isArray(value) ? value.map(row => (typeof row === 'object' && row !== null ? (row as Content) : {})) : []
}

/** Names for rows, which have none of their own: a row keeps its name when one before it goes. */
function useRowKeys() {
  const keys = useRef<number[]>([])
  const next = useRef(0)
  return {
    of: (at: number): number => {
      while (keys.current.length <= at) keys.current.push(next.current++)
      return keys.current[at] ?? at
    },
    drop: (at: number): void => {
      keys.current.splice(at, 1)
    },
  }
}

/** A table of the form: one card for each row, so that it can be filled in on a phone. */
export function TableInput({
  field,
  context,
  Field,
  ...props
}: InputProps & {
  field: string
  context: FieldContext
  /** What draws one cell. */
  Field: ComponentType<FieldProps>
}): ReactNode {
  const t = useT()
  const { id, item, value, onChange, disabled } = props
  const held = rowsOf(value)
  const rows = held.length > 0 || !item.required ? held : [{}]
  const most = Number(item.rules?.max ?? MOST)
  const keys = useRowKeys()
  const put = (at: number, row: Content): void => onChange(rows.map((one, i) => (i === at ? row : one)))
  return (
    <div className="in-rows">
      {rows.map((row, at) => (
        <fieldset key={keys.of(at)} className="in-row">
          <legend>
            {t('第 {{n}} 条', { n: at + 1 })}
            {!disabled && (rows.length > 1 || !item.required) && (
              <Button
                type="text"
                icon={<DeleteOutlined />}
                aria-label={t('删除第 {{n}} 条', { n: at + 1 })}
                onClick={() => {
                  keys.drop(at)
                  onChange(rows.filter((_, i) => i !== at))
                }}
              />
            )}
          </legend>
          {(item.columns ?? []).map(column => (
            <Field
              key={column.itemCode}
              item={column}
              field={`${field}[${at}].${column.itemCode}`}
              value={row[column.itemCode]}
              onChange={next => put(at, { ...row, [column.itemCode]: next })}
              context={{ ...context, isOpen: () => !disabled }}
            />
          ))}
        </fieldset>
      ))}
      {!disabled && rows.length < most && (
        <Button
          id={rows.length === 0 ? id : undefined}
          size="large"
          icon={<PlusOutlined />}
          onClick={() => onChange([...rows, {}])}
        >
          {t('添加{{what}}', { what: t(item.itemName) })}
        </Button>
      )}
    </div>
  )
}
