import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import type { FieldProps } from '@rjsf/utils'
import { Button, Typography } from 'antd'
import type { ReactNode } from 'react'
import type { Input } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { FieldInput, narrowerOf } from './fields/inputs.tsx'
import { messageId, shownProblem, useKnowledge } from './form-parts.tsx'
import { type FormRows, rowsIn } from './form-rows.ts'
import { fieldAt, inputsOf, isShown, startValues, type Values, withoutStrays } from './form-values.ts'
import { useSmall } from './window/use-width.ts'

interface CellProps {
  rows: FormRows
  /** The rows as they are now. */
  now: readonly Values[]
  at: number
  row: Values
  input: Input
  change: (at: number, next: Values) => void
}

/** One field of one row: its label is shown on a phone, and read aloud everywhere. */
function RowCell({ rows, now, at, row, input, change }: CellProps): ReactNode {
  const t = useT()
  const known = useKnowledge()
  const { child, resource, may } = rows
  const { field: name } = input
  const small = useSmall()
  if (!isShown(input, row)) return null
  const path = `${child.resource}.${at}.${name}`
  const id = `${known.prefix}_${path.replaceAll('.', '_')}`
  const field = fieldAt(resource, name)
  const wrong = shownProblem(path, known)
  const narrower = narrowerOf(field, input.as)
  const isNew = row.id === undefined
  const isFixed = input.readonly === true || (!isNew && (input.readonly === 'edit' || !may.edit))
  return (
    <>
      <label htmlFor={id} className={small ? undefined : 'heard-only'}>{`${t(field.title)} ${at + 1}`}</label>
      <FieldInput
        id={id}
        name={name}
        field={field}
        as={input.as}
        entity={resource.entity.name}
        value={row[name]}
        row={rows.before.find(other => other.id === row.id)}
        beside={narrower && row[narrower]}
        rows={now.filter((_, place) => place !== at)}
        disabled={isFixed}
        invalid={wrong !== undefined}
        describedBy={wrong ? messageId(id) : undefined}
        onChange={(value: unknown) => change(at, withoutStrays(resource, row, { ...row, [name]: value }))}
        onBlur={() => known.leave(path)}
      />
      {wrong && (
        <span id={messageId(id)} role="alert" className="form-rows-wrong">
          {wrong}
        </span>
      )}
    </>
  )
}

/** Rows of another resource in a form: a table to type in, one under the other on a phone. */
export function RowsField({ name, formData, onChange, fieldPathId, disabled }: FieldProps): ReactNode {
  const t = useT()
  const small = useSmall()
  const known = useKnowledge()
  const rows = known.rows.find(one => one.child.resource === name)
  if (!rows) return null
  const { child, resource, may } = rows
  const now = rowsIn({ [name]: formData }, rows)
  const put = (next: readonly Values[]): void => onChange([...next], fieldPathId.path)
  const change = (at: number, next: Values): void => put(now.with(at, next))
  const inputs = inputsOf(resource)
  const required = (field: string): boolean =>
    resource.entity.required.includes(field) && fieldAt(resource, field).kind !== 'flag'
  return (
    <section className={small ? 'form-rows stacked' : 'form-rows'} aria-label={t(child.label)}>
      <Typography.Title level={5}>{t(child.label)}</Typography.Title>
      {now.length > 0 && (
        <table>
          <thead>
            <tr>
              {inputs.map(({ field }) => (
                <th key={field} scope="col" data-required={required(field) || undefined}>
                  {t(fieldAt(resource, field).title)}
                </th>
              ))}
              <th>
                <span className="heard-only">{t('操作')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {now.map((row, at) => (
              // A new row has nothing that it could be known by but its place.
              <tr key={String(row.id ?? `new ${at}`)}>
                {inputs.map(input => (
                  <td key={input.field}>
                    <RowCell rows={rows} now={now} at={at} row={row} input={input} change={change} />
                  </td>
                ))}
                <td>
                  {(row.id === undefined || may.remove) && (
                    <Button
                      type="text"
                      danger
                      disabled={disabled}
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={`${t('删除')} ${at + 1}`}
                      onClick={() => put(now.filter((_, i) => i !== at))}
                    />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {may.add && (
        <Button
          type="dashed"
          block
          disabled={disabled}
          icon={<PlusOutlined aria-hidden />}
          onClick={() => put([...now, startValues(resource, null)])}
        >
          {t('新增一行')}
        </Button>
      )}
    </section>
  )
}
