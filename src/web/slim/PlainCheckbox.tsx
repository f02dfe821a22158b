import 'antd/es/checkbox/style'
import type { CheckboxProps } from 'antd'
import { type ChangeEvent, useEffect, useRef } from 'react'

/** A box of a table in which rows are chosen: antd's looks without its ripples and groups, for a list has dozens of them. */
export default function PlainCheckbox(props: CheckboxProps & { 'aria-label'?: string }) {
  const { checked = false, indeterminate = false, disabled = false, onClick, onChange, className = '' } = props
  const self = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (self.current) self.current.indeterminate = indeterminate
  }, [indeterminate])
  const change = ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void =>
    onChange?.({
      target: { ...props, checked: target.checked },
      stopPropagation: () => nativeEvent.stopPropagation(),
      preventDefault: () => nativeEvent.preventDefault(),
      nativeEvent: nativeEvent as MouseEvent,
    })
  const states = { checked, indeterminate, disabled }
  const marks = Object.entries(states).map(([state, isSo]) => (isSo ? ` ant-checkbox-${state}` : ''))
  return (
    <label className={`ant-checkbox-wrapper ${className}`} style={props.style}>
      <span className={`ant-checkbox${marks.join('')}`} title={props.title}>
        <input
          ref={self}
          type="checkbox"
          className="ant-checkbox-input"
          name={props.name}
          aria-label={props['aria-label']}
          checked={checked}
          disabled={disabled}
          onClick={onClick}
          onChange={change}
        />
      </span>
    </label>
  )
}
