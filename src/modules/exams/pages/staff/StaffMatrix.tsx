import { CheckOutlined, ClockCircleOutlined, DownOutlined, MinusOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { type KeyboardEvent, memo, type ReactNode, useRef, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import './staff.css'
import type { StaffPerson, StaffUnit } from '../../contract.ts'
import { type Cover, coverOf } from './cover.ts'
import { UnitState } from './UnitState.tsx'

/** Switches a cell: a person and one unit, or all of them. */
export type Toggle = (person: StaffPerson, unit: string | null, on: boolean) => void

const marks: Record<Cover, { pressed: boolean | 'mixed'; icon: ReactNode }> = {
  full: { pressed: true, icon: <CheckOutlined aria-hidden /> },
  part: { pressed: 'mixed', icon: <MinusOutlined aria-hidden /> },
  none: { pressed: false, icon: null },
}

interface CellProps {
  person: StaffPerson
  unit: StaffUnit
  at: string
  busy: boolean
  reached: boolean
  onToggle?: Toggle
}

function Cell({ person, unit, at, busy, reached, onToggle }: CellProps) {
  const t = useT()
  const cover = coverOf(person, unit.unit)
  const time = person.timed[unit.unit]
  const span = time && `${time.startTime || '…'} — ${time.endTime || '…'}`
  const words = [unit.unitName || unit.unit, person.name, cover === 'part' && t('部分岗位'), span]
    .filter(Boolean)
    .join(' · ')
  return (
    <td>
      <button
        type="button"
        className="staff-cell"
        data-cell={at}
        data-cover={cover}
        aria-pressed={marks[cover].pressed}
        aria-label={words}
        aria-busy={busy}
        title={words}
        tabIndex={reached ? 0 : -1}
        disabled={!onToggle}
        onClick={() => onToggle?.(person, unit.unit, cover !== 'full')}
      >
        {marks[cover].icon}
        {time && <ClockCircleOutlined aria-hidden />}
      </button>
    </td>
  )
}

interface RowProps {
  unit: StaffUnit
  people: readonly StaffPerson[]
  row: number
  /** The cell of this row that the keyboard has reached, -1 for none. */
  reached: number
  busy: ReadonlySet<string>
  onToggle?: Toggle
}

const Row = memo(function Row({ unit, people, row, reached, busy, onToggle }: RowProps) {
  return (
    <tr data-lacking={unit.lacking.length > 0 || undefined}>
      <th scope="row">
        <div className="staff-unit">{unit.unitName || unit.unit}</div>
        <UnitState unit={unit} />
      </th>
      {people.map((person, i) => (
        <Cell
          key={person.userId}
          person={person}
          unit={unit}
          onToggle={onToggle}
          at={`${row}-${i}`}
          busy={busy.has(`${person.userId} ${unit.unit}`)}
          reached={reached === i}
        />
      ))}
    </tr>
  )
})

function Head({ person, onToggle }: { person: StaffPerson; onToggle?: Toggle }) {
  const t = useT()
  const state = person.usable ? (person.all ? t('全部单位') : '') : t('账号停用')
  const inner = (
    <>
      <span className="staff-name">{person.name}</span>
      <small data-off={!person.usable || undefined}>{state || t('{{n}} 个单位', { n: person.units.length })}</small>
    </>
  )
  if (!onToggle) return <div className="staff-head">{inner}</div>
  const items = [
    { key: 'all', label: t('负责全部单位'), disabled: !person.usable, onClick: () => onToggle(person, null, true) },
    { key: 'none', label: t('取消全部单位'), danger: true, onClick: () => onToggle(person, null, false) },
  ]
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <button type="button" className="staff-head" title={t('{{name}}的更多操作', { name: person.name })}>
        {inner}
        <DownOutlined aria-hidden />
      </button>
    </Dropdown>
  )
}

const steps: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** Moves between cells with the arrows; one cell of the table is a stop of the tab key. */
function useReach(rows: number, columns: number) {
  const table = useRef<HTMLTableElement>(null)
  const [[row, column], reach] = useState<readonly [number, number]>([0, 0])
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = (event.target as HTMLElement).dataset.cell
    const step = steps[event.key]
    if (!cell || !step) return
    event.preventDefault()
    const [r = 0, c = 0] = cell.split('-').map(Number)
    const next = [
      Math.min(rows - 1, Math.max(0, r + step[0])),
      Math.min(columns - 1, Math.max(0, c + step[1])),
    ] as const
    reach(next)
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.join('-')}"]`)?.focus()
  }
  return { table, row: Math.min(row, rows - 1), column: Math.min(column, columns - 1), onKeyDown }
}

/** Units down, people across; a cell appoints somebody to a unit or takes the appointment back. */
export function StaffMatrix({
  units,
  people,
  busy,
  onToggle,
}: {
  units: readonly StaffUnit[]
  people: readonly StaffPerson[]
  busy: ReadonlySet<string>
  onToggle?: Toggle
}) {
  const t = useT()
  const { table, row, column, onKeyDown } = useReach(units.length, people.length)
  return (
    <div className="staff-scroll">
      <table ref={table} className="staff-matrix" onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{t('招聘单位')}</th>
            {people.map(person => (
              <th key={person.userId} scope="col">
                <Head person={person} onToggle={onToggle} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {units.map((unit, i) => (
            <Row
              key={unit.unit}
              unit={unit}
              people={people}
              busy={busy}
              onToggle={onToggle}
              row={i}
              reached={i === row ? column : -1}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}
