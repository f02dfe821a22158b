import { Button } from 'antd'
import { memo, type ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import type { Position } from '../../../exams/contract.ts'
import { demandsOf, heatOf } from './position-filter.ts'

function Crowd({ of }: { of: Position }): ReactNode {
  const t = useT()
  if (of.signNum === '') return null
  return (
    <span className="pos-heat" data-heat={heatOf(of.ratio)}>
      {t('报名 {{sign}} · 通过 {{pass}} · {{ratio}} : 1', {
        sign: of.signNum,
        pass: of.passNum,
        ratio: Number(of.ratio || 0).toFixed(1),
      })}
    </span>
  )
}

function PositionCardOf({
  of,
  chosen,
  action,
  onChoose,
}: {
  of: Position
  chosen?: boolean
  action?: string
  onChoose?: (position: Position) => void
}): ReactNode {
  const t = useT()
  const demands = demandsOf(of, t)
  return (
    <article className="my-card pos-card" data-chosen={chosen || undefined} data-closed={!of.selectable || undefined}>
      <div className="my-head">
        <div>
          <h3>{of.postName}</h3>
          <p className="my-quiet">
            {of.unitName} · {of.code}
          </p>
        </div>
        <Badge tone={of.selectable ? 'quiet' : 'bad'}>
          {of.selectable ? t('招 {{n}} 人', { n: of.curPlanNum }) : t(of.reason)}
        </Badge>
      </div>
      <p className="pos-demands">{demands.length > 0 ? demands.join('；') : t('不限条件')}</p>
      <div className="pos-foot">
        <Crowd of={of} />
        {onChoose && (
          <Button
            size="large"
            type={chosen ? 'primary' : 'default'}
            aria-pressed={chosen}
            disabled={!of.selectable && !chosen}
            onClick={() => onChoose(of)}
          >
            {chosen ? t('已选') : (action ?? t('选择'))}
          </Button>
        )}
      </div>
    </article>
  )
}

/** A position with its demands; one that is full or cancelled says so and cannot be chosen. */
export const PositionCard = memo(PositionCardOf)
