import { Button } from 'antd'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/inputs/inputs.css'
import { Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { clockText } from '../../../../screens/candidate/times.ts'
import type { Position } from '../../../exams/contract.ts'
import './exams.css'
import { PositionCard } from './PositionCard.tsx'
import { PositionFilter } from './PositionFilter.tsx'
import { everything, filterPositions } from './position-filter.ts'
import { type Compare, useFitting } from './use-fitting.ts'

/** Cards drawn at once. */
const STEP = 30

/** The positions of an exam with what narrows them down; with `onChoose` they can be chosen. */
export function PositionList({
  positions,
  numTime,
  chosen,
  action,
  compare,
  onChoose,
}: {
  positions: readonly Position[]
  /** As of when the numbers are; empty where none are shown. */
  numTime?: string
  chosen?: string
  action?: string
  /** What to compare with for 我可能符合; without it that switch is not offered. */
  compare?: Compare
  onChoose?: (position: Position) => void
}): ReactNode {
  const t = useT()
  const [wanted, setWanted] = useState(everything)
  const [shown, setShown] = useState(STEP)
  const [onlyFit, setOnlyFit] = useState(false)
  const slow = useDeferredValue(wanted)
  const narrowed = useMemo(() => filterPositions(positions, slow), [positions, slow])
  const fitting = useFitting(narrowed, onlyFit ? compare : undefined)
  const hasNumbers = positions.some(one => one.signNum !== '')
  return (
    <div className="my">
      <PositionFilter positions={positions} wanted={wanted} onChange={setWanted}>
        {compare && (
          <label className="in-tick">
            <input type="checkbox" checked={onlyFit} onChange={event => setOnlyFit(event.target.checked)} />
            {t('我可能符合')}
          </label>
        )}
      </PositionFilter>
      <p className="my-quiet" role="status">
        {fitting.left > 0
          ? t('正在比对，还有 {{n}} 个岗位', { n: fitting.left })
          : t('共 {{n}} 个岗位', { n: fitting.list.length })}
        {hasNumbers && numTime && ` · ${t('人数截至 {{at}}', { at: clockText(numTime) })}`}
      </p>
      {fitting.list.slice(0, shown).map(one => (
        <PositionCard key={one.id} of={one} chosen={one.code === chosen} action={action} onChoose={onChoose} />
      ))}
      {fitting.list.length === 0 && fitting.left === 0 && <Nothing title={t('没有符合条件的岗位，请放宽筛选')} />}
      {fitting.list.length > shown && (
        <Button size="large" block onClick={() => setShown(shown + STEP)}>
          {t('显示更多')}
        </Button>
      )}
    </div>
  )
}
