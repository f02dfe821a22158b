import { Checkbox, type CheckboxProps } from 'antd'
import { type ChangeEvent, isValidElement, type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../platform/i18n/i18n.ts'
import './row-checkbox.css'

type BoxProps = CheckboxProps & {
  /** What it is called for those who hear the page. */
  label: string
}

/** A box by which rows are chosen. It is the browser's: a list has dozens, and antd's draws a ripple for each of them. */
function RowCheckbox({ label, checked = false, indeterminate = false, disabled = false, onClick, onChange }: BoxProps) {
  const self = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (self.current) self.current.indeterminate = indeterminate
  }, [indeterminate])
  const change = (event: ChangeEvent<HTMLInputElement>): void =>
    onChange?.({
      target: { checked: event.target.checked },
      stopPropagation: () => event.stopPropagation(),
      preventDefault: () => event.preventDefault(),
      nativeEvent: event.nativeEvent as MouseEvent,
    })
  return (
    <input
      ref={self}
      type="checkbox"
      className="row-checkbox"
      aria-label={label}
      checked={checked}
      disabled={disabled}
      onClick={onClick}
      onChange={change}
    />
  )
}

const isCheckbox = (node: ReactNode) => isValidElement<CheckboxProps>(node) && node.type === Checkbox && node

/** The boxes of a table whose rows can be chosen, instead of antd's own. */
export function useRowCheckboxes() {
  const t = useT()
  return {
    renderCell: (_checked: boolean, _row: unknown, index: number, node: ReactNode): ReactNode => {
      const box = isCheckbox(node)
      return box ? <RowCheckbox {...box.props} label={t('选择第 {{n}} 行', { n: index + 1 })} /> : node
    },
    columnTitle: (node: ReactNode): ReactNode => {
      const box = isCheckbox(node)
      return box ? <RowCheckbox {...box.props} label={t('选择全部')} /> : node
    },
  }
}
