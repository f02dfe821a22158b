import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Position } from '../../../exams/contract.ts'
import { choicesOf, type Wanted } from './position-filter.ts'

interface Choice {
  key: string
  value: string
}

function Choose({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
}): ReactNode {
  const t = useT()
  if (choices.length < 2) return null
  return (
    <select className="in" aria-label={label} value={value} onChange={event => onChange(event.target.value)}>
      <option value="">{label}</option>
      {choices.map(one => (
        <option key={one.key} value={one.key}>
          {t(one.value)}
        </option>
      ))}
    </select>
  )
}

/** What narrows the positions down. `children` are further switches. */
export function PositionFilter({
  positions,
  wanted,
  onChange,
  children,
}: {
  positions: readonly Position[]
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  children?: ReactNode
}): ReactNode {
  const t = useT()
  const set = (part: Partial<Wanted>): void => onChange({ ...wanted, ...part })
  return (
    <search className="pos-filter">
      <input
        className="in"
        type="search"
        aria-label={t('搜索岗位')}
        placeholder={t('搜索岗位名称、代码、专业')}
        value={wanted.text}
        onChange={event => set({ text: event.target.value })}
      />
      <Choose
        label={t('全部单位')}
        value={wanted.unit}
        choices={choicesOf(positions, 'unit', 'unitName')}
        onChange={unit => set({ unit })}
      />
      <Choose
        label={t('全部类别')}
        value={wanted.type}
        choices={choicesOf(positions, 'type', 'typeName')}
        onChange={type => set({ type })}
      />
      <Choose
        label={t('全部学历要求')}
        value={wanted.edu}
        choices={choicesOf(positions, 'eduReq', 'eduReqName')}
        onChange={edu => set({ edu })}
      />
      <div className="pos-switches">
        <label className="in-tick">
          <input type="checkbox" checked={wanted.free} onChange={event => set({ free: event.target.checked })} />
          {t('只看可报')}
        </label>
        {children}
      </div>
    </search>
  )
}
