import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, DatePicker, Input, InputNumber } from 'antd'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import type { ExpenseItem } from '#schemas/workflow/expense'
import { useT } from '../../platform/i18n/i18n.ts'
import { DictSelect } from './DictSelect.tsx'
import { DictText } from './DictText.tsx'
import { fen, yuan } from './money.ts'
import { type InputProps, inputState } from './props.ts'
import './expense-items.css'

const DAY = 'YYYY-MM-DD'
/** Most outlays of a claim. */
const MOST = 50

/** An outlay while it is entered. */
type Entered = Partial<ExpenseItem>

const sumOf = (items: readonly Entered[]): number => items.reduce((sum, { amount = 0 }) => sum + amount, 0)

function Sum({ of }: { of: readonly Entered[] }): ReactNode {
  const t = useT()
  return (
    <p className="expense-sum">
      {t('合计')} <strong>¥{yuan(sumOf(of))}</strong>
    </p>
  )
}

interface ItemProps {
  item: Entered
  at: number
  disabled: boolean | undefined
  onChange: (next: Entered) => void
  onRemove: () => void
}

function ItemInputs({ item, at, disabled, onChange, onRemove }: ItemProps): ReactNode {
  const t = useT()
  const named = (title: string): string => `${t(title)} ${at + 1}`
  return (
    <li>
      <DatePicker
        aria-label={named('日期')}
        placeholder={t('日期')}
        disabled={disabled}
        value={item.date ? dayjs(item.date) : null}
        onChange={next => onChange({ ...item, date: next?.format(DAY) ?? '' })}
      />
      <DictSelect
        aria-label={named('类别')}
        code="expense_kind"
        value={item.kind}
        placeholder={t('类别')}
        {...(disabled && { disabled })}
        onChange={next => onChange({ ...item, kind: Number(next) })}
      />
      <InputNumber
        aria-label={named('金额')}
        placeholder={t('金额')}
        disabled={disabled}
        prefix="¥"
        precision={2}
        min={0.01}
        max={10_000_000}
        value={item.amount === undefined ? null : item.amount / 100}
        onChange={next => onChange({ ...item, amount: next === null ? 0 : fen(next) })}
      />
      <Input
        aria-label={named('说明')}
        placeholder={t('说明')}
        disabled={disabled}
        maxLength={100}
        value={item.remark}
        onChange={event => onChange({ ...item, remark: event.target.value })}
      />
      <Button
        icon={<DeleteOutlined aria-hidden />}
        aria-label={t('删除第{{n}}行', { n: at + 1 })}
        disabled={disabled}
        onClick={onRemove}
      />
    </li>
  )
}

/** The outlays of a claim, row by row, with their sum. */
export function ExpenseItemsInput(props: InputProps<readonly Entered[]>): ReactNode {
  const { value, onChange } = props
  const t = useT()
  const { id, status, disabled, onBlur } = inputState(props)
  const items = Array.isArray(value) ? value : []
  const set = (next: readonly Entered[]): void => onChange(next.length > 0 ? next : undefined)
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      className="expense-items"
      aria-label={t('明细')}
      data-wrong={status}
      onBlur={onBlur}
    >
      <ul>
        {items.map((item, at) => (
          <ItemInputs
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told apart by
            key={at}
            item={item}
            at={at}
            disabled={disabled}
            onChange={next => set(items.map((one, place) => (place === at ? next : one)))}
            onRemove={() => set(items.filter((_, place) => place !== at))}
          />
        ))}
      </ul>
      <Button
        type="dashed"
        icon={<PlusOutlined aria-hidden />}
        disabled={disabled || items.length >= MOST}
        onClick={() => set([...items, { date: dayjs().format(DAY) }])}
      >
        {t('添加一行')}
      </Button>
      {items.length > 0 && <Sum of={items} />}
    </fieldset>
  )
}

/** The outlays of a claim, to look at. */
export default function ExpenseItems({ of }: { of: readonly ExpenseItem[] }): ReactNode {
  return (
    <div className="expense-items">
      <ul>
        {of.map((item, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else to be told apart by
          <li key={at}>
            <span>{item.date}</span>
            <DictText code="expense_kind" value={item.kind} />
            <span>¥{yuan(item.amount)}</span>
            <span>{item.remark}</span>
          </li>
        ))}
      </ul>
      <Sum of={of} />
    </div>
  )
}
